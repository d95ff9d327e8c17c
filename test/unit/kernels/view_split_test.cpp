// split, chunk and related views.
#include <structured/ops/chunk.h>
#include <structured/ops/hsplit.h>
#include <structured/ops/narrow.h>
#include <structured/ops/split.h>
#include <structured/ops/split_with_sizes.h>
#include <structured/ops/tensor_split.h>
#include <structured/ops/unbind.h>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

std::vector<int64_t> lengths(const std::vector<Tensor>& parts, int64_t dim) {
  std::vector<int64_t> result;
  for (const Tensor& part : parts) result.push_back(part.size(dim));
  return result;
}

using Lengths = std::vector<int64_t>;

TEST(Split, CutsIntoViewsOfOneLength) {
  const Tensor base = counting<float>({2, 5});
  const std::vector<Tensor> parts = split(base, 2, 1);
  EXPECT_EQ(lengths(parts, 1), Lengths({2, 2, 1}));
  EXPECT_TRUE(parts[1].base().is_same(base));
  expect_elements<float>(parts[1], {2, 2}, [](const Index& i) { return double(i[0] * 5 + 2 + i[1]); });
  EXPECT_EQ(lengths(split(empty({0}), 0), 0), Lengths({0}));
  expect_error([&] { split(base, 0); }, "expected a size of parts of 1 or more");
  expect_error([&] { split(counting<float>({}), 1); }, "at least one dimension");
}

TEST(Split, CutsIntoPartsOfGivenSizes) {
  const Tensor base = counting<float>({5});
  EXPECT_EQ(lengths(split_with_sizes(base, {1, 0, 4}), 0), Lengths({1, 0, 4}));
  expect_error([&] { split_with_sizes(base, {1, 3}); }, "sizes that add up to 5, got [1, 3]");
  expect_error([&] { split_with_sizes(base, {6, -1}); }, "sizes of 0 or more that add up to 5");
}

TEST(Chunk, MakesNoMorePartsThanAskedFor) {
  EXPECT_EQ(lengths(chunk(empty({10}), 4), 0), Lengths({3, 3, 3, 1}));
  EXPECT_EQ(lengths(chunk(empty({0}), 3), 0), Lengths({0, 0, 0}));
  expect_error([&] { chunk(empty({2}), 0); }, "expected `chunks` of 1 or more, got 0");
}

TEST(TensorSplit, MakesAsManyPartsAsAskedFor) {
  EXPECT_EQ(lengths(tensor_split(empty({10}), 4), 0), Lengths({3, 3, 2, 2}));
  EXPECT_EQ(lengths(tensor_split(empty({10}), {2, -3, 20}), 0), Lengths({2, 5, 3, 0}));
  EXPECT_EQ(lengths(hsplit(empty({2, 6}), 3), 1), Lengths({2, 2, 2}));
  expect_error([&] { hsplit(empty({2, 6}), 4); }, "divides size 6 of dimension 1, got 4");
}

TEST(Unbind, GivesTheSlicesOfADimension) {
  const std::vector<Tensor> slices = unbind(counting<float>({2, 3}), 1);
  ASSERT_EQ(slices.size(), 3u);
  expect_elements<float>(slices[2], {2}, [](const Index& i) { return double(i[0] * 3 + 2); });
  EXPECT_TRUE(unbind(empty({0, 3})).empty());
  expect_error([] { unbind(counting<float>({})); }, "at least one dimension");
}

TEST(Narrow, CountsNegativeStartsFromTheEnd) {
  const Tensor base = counting<float>({6});
  expect_elements<float>(narrow(base, 0, -3, 2), {2}, [](const Index& i) { return double(3 + i[0]); });
  EXPECT_EQ(narrow(base, 0, 6, 0).numel(), 0);
  expect_error([&] { narrow(base, 0, 4, 3); }, "expected a `length` from 0 to 2, got 3");
  expect_error([&] { narrow(base, 0, 7, 0); }, "expected a `start` from -6 to 6, got 7");
}

}  // namespace
}  // namespace structured
