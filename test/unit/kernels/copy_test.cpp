// copy_, clone and fill_.
#include <structured/kernel/overlap.h>
#include <structured/number/visit.h>
#include <structured/ops/_local_scalar_dense.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/expand.h>
#include <structured/ops/fill.h>
#include <structured/ops/item.h>
#include <structured/ops/slice.h>

#include <algorithm>
#include <vector>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(Copy, WritesTheElementsOfAnyLayout) {
  const Tensor source = counting<float>({3, 4});
  for (const Tensor& from : {source, strided(source)}) {
    for (const bool is_strided : {false, true}) {
      Tensor self = is_strided ? strided(counting<float>({3, 4})) : empty({3, 4}, kFloat);
      EXPECT_TRUE(copy_(self, from).is_same(self));
      expect_elements<float>(self, {3, 4}, [](const Index& index) { return double(index[0] * 4 + index[1]); });
    }
  }
}

TEST(Copy, BroadcastsTheSource) {
  Tensor self = empty({2, 3}, kFloat);
  copy_(self, counting<float>({3}));
  expect_elements<float>(self, {2, 3}, [](const Index& index) { return double(index[1]); });
}

TEST(Copy, Converts) {
  Tensor integers = empty({3}, kLong);
  copy_(integers, tensor<float>({-1.75F, 0, 2.5F}));
  EXPECT_EQ(to_vector<int64_t>(integers), (std::vector<int64_t>{-1, 0, 2}));
  Tensor booleans = empty({3}, kBool);
  copy_(booleans, tensor<float>({-0.5F, 0, 2}));
  EXPECT_EQ(to_vector<bool>(booleans), (std::vector<bool>{true, false, true}));
}

TEST(Copy, BumpsTheVersionOfWhatItWrites) {
  Tensor self = counting<float>({2});
  const Tensor source = counting<float>({2});
  const auto version = self.version();
  copy_(self, source);
  EXPECT_EQ(self.version(), version + 1);
  EXPECT_EQ(source.version(), 0u);
}

TEST(Copy, ReadsFirstWhereOverlapIsUndecided) {
  const Tensor base = counting<float>({187'447});
  Tensor self = as_strided(base, {10, 10, 10}, {7314, 2753, 8936}, 0);
  const Tensor source = as_strided(base, {10, 10, 10}, {5849, 8042, 6881}, 498);
  ASSERT_EQ(overlap(self, source), Overlap::undecided);
  const std::vector<float> expected = to_vector<float>(clone(source));
  copy_(self, source);
  EXPECT_EQ(to_vector<float>(clone(self)), expected);
}

TEST(Copy, RefusesWhatDoesNotFit) {
  Tensor self = counting<float>({2, 3});
  expect_error([&] { copy_(self, counting<float>({2})); },
               "in copy_: expand: dimension 1 of size 2 cannot be given the size 3");
  Tensor repeated = expand(counting<float>({1}), {4});
  expect_error([&] { copy_(repeated, counting<float>({4})); }, "share one memory location; clone it first");
  Tensor line = counting<float>({6});
  Tensor head = slice(line, 0, 0, 4);
  expect_error([&] { copy_(head, slice(line, 0, 1, 5)); }, "overlaps a part of one that is read");
}

TEST(Copy, ReadsOverlappingElementsWithGapsFirst) {
  const Tensor table = counting<float>({3, 4});
  Tensor to = slice(table, 1, 1, 4);
  copy_(to, slice(table, 1, 0, 3));
  expect_elements<float>(table, {3, 4}, [](const Index& i) { return 4. * i[0] + std::max<double>(0, i[1] - 1); });
  const Tensor square = counting<float>({3, 4});
  Tensor part = slice(square, 1, 0, 3);
  copy_(part, as_strided(part, {3, 3}, {1, 4}));
  expect_elements<float>(part, {3, 3}, [](const Index& i) { return 4. * i[1] + i[0]; });
}

TEST(Copy, WithoutWritingIsATensorLikeTheFirst) {
  const Tensor self = empty_strided({2, 3}, {1, 2}, empty({}, kLong).options());
  const Tensor result =
      structured::copy(self, filled<float>({3}, [](int64_t i) { return static_cast<float>(i) + 0.5F; }));
  EXPECT_EQ(result.strides(), self.strides());
  expect_elements<int64_t>(result, {2, 3}, [](const Index& i) { return static_cast<double>(i[1]); });
  Tensor out = empty({0}, kLong);
  EXPECT_TRUE(copy_out(out, self, result).is_same(out));
  expect_elements<int64_t>(out, {2, 3}, [](const Index& i) { return static_cast<double>(i[1]); });
}

TEST(Item, IsTheOnlyElement) {
  EXPECT_EQ(structured::item(tensor<int64_t>({7})).to<int64_t>(), 7);
  expect_error([] { structured::item(empty({2})); }, "item: expected a tensor with one element, got sizes [2]");
  expect_error([] { structured::_local_scalar_dense(empty({0})); }, "expected an element, got sizes [0]");
}

TEST(Clone, IsDenseAndInTheOrderOfTheOriginal) {
  const Tensor dense = empty_strided({2, 3}, {1, 2}, kFloat);
  copy_into(dense, counting<float>({2, 3}));
  const Tensor copy = clone(dense);
  EXPECT_FALSE(copy.storage().is_same(dense.storage()));
  EXPECT_FALSE(copy.is_view());
  EXPECT_EQ(copy.strides(), dense.strides());
  expect_elements<float>(copy, {2, 3}, [](const Index& i) { return double(i[0] * 3 + i[1]); });
  expect_elements<float>(clone(strided(counting<float>({2, 3}))), {2, 3},
                         [](const Index& i) { return double(i[0] * 3 + i[1]); });
  EXPECT_EQ(clone(strided(counting<float>({2, 3}))).strides(), IntArrayRef({1, 2}));
}

TEST(Clone, TakesAFormat) {
  const Tensor base = counting<float>({2, 3, 4, 5});
  const Tensor last = clone(base, MemoryFormat::ChannelsLast);
  EXPECT_TRUE(last.is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_EQ(to_vector<float>(last), to_vector<float>(base));
  EXPECT_EQ(clone(last).strides(), last.strides());
  EXPECT_TRUE(clone(last, MemoryFormat::Contiguous).is_contiguous());
  // Slicing every other row leaves gaps but keeps the channels-last order of strides.
  EXPECT_TRUE(clone(slice(last, 2, 0, 4, 2)).is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(clone(empty({4}, kMeta)).is_meta());
  const Tensor gaps = empty_strided({3, 3, 4}, {24, 2, 6}, kFloat);
  EXPECT_EQ(clone(gaps).strides(), IntArrayRef({12, 1, 3}));
  EXPECT_EQ(empty_like(gaps, kInt).strides(), IntArrayRef({12, 1, 3}));
}

TEST(Fill, SetsEveryElementAndNoOther) {
  const Tensor line = counting<float>({6});
  Tensor odd = slice(line, 0, 1, std::nullopt, 2);
  EXPECT_TRUE(fill_(odd, 9).is_same(odd));
  EXPECT_EQ(to_vector<float>(line), (std::vector<float>{0, 9, 2, 9, 4, 9}));
}

TEST(Fill, TakesEveryDtypeAndAnyNumberOfElements) {
  for (const ScalarType dtype :
       {kBool, kByte, kShort, kHalf, kInt, kFloat, kLong, kDouble, kComplexFloat, kComplexDouble}) {
    for (const int64_t count : {0, 1, 3, 128, 5000}) {
      Tensor self = empty({count}, dtype);
      fill_(self, 1);
      visit<kAllTypes>("fill", dtype, [&]<class T>() {
        EXPECT_EQ(to_vector<T>(self), std::vector<T>(static_cast<size_t>(count), T(1))) << dtype << count;
      });
    }
  }
}

TEST(Fill, RefusesWhatTheDtypeCannotHold) {
  for (const int64_t count : {0, 1, 5000}) {
    Tensor self = empty({count}, kByte);
    expect_error([&] { fill_(self, 1000); }, "expected a number that fits Byte, got 1000");
  }
}

TEST(Fill, SetsElementsThatShareMemory) {
  const Tensor column = counting<float>({2, 1});
  Tensor repeated = expand(column, {2, 3});
  fill_(repeated, 9);
  EXPECT_EQ(to_vector<float>(column), (std::vector<float>{9, 9}));
}

TEST(Copy, OfATensorIntoItselfChangesNothing) {
  Tensor repeated = expand(counting<float>({2, 1}), {2, 3});
  EXPECT_TRUE(copy_(repeated, repeated).is_same(repeated));
  EXPECT_EQ(repeated.version(), 1);
  EXPECT_EQ(to_vector<float>(repeated), (std::vector<float>{0, 0, 0, 1, 1, 1}));
}

TEST(Fill, LeavesMetaTensorsWithoutData) {
  Tensor self = empty({1 << 20, 1 << 20}, kMeta);
  EXPECT_NO_THROW(fill_(self, 1));
}

}  // namespace
}  // namespace structured
