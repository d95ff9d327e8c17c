#include <structured/ops/_chunk_cat.h>
#include <structured/ops/cat.h>

#include "kernels/expect.h"

namespace structured::concatenation_test {
namespace {

using namespace test;

template <class T>
class Cat : public testing::Test {};
using Types = testing::Types<float, double, int64_t>;
TYPED_TEST_SUITE(Cat, Types);

TYPED_TEST(Cat, JoinsAlongEveryDimension) {
  using T = TypeParam;
  const Tensor first = counting<T>({2, 3, 4});
  for (int64_t dim = -3; dim < 3; ++dim) {
    const size_t d = static_cast<size_t>(dim < 0 ? dim + 3 : dim);
    DimVector more(first.sizes());
    more[d] = 5;
    const Tensor second = filled<T>(more, [](int64_t i) { return static_cast<T>(1000 + i); });
    DimVector sizes(first.sizes());
    sizes[d] += 5;
    for (const bool is_strided : {false, true}) {
      const std::vector<Tensor> parts{is_strided ? strided(first) : first, is_strided ? strided(second) : second};
      expect_elements<T>(cat(parts, dim), sizes, [&](const Index& index) {
        Index from = index;
        const bool is_first = index[d] < first.sizes()[d];
        if (!is_first) from[d] -= first.sizes()[d];
        return static_cast<double>(at<T>(is_first ? first : second, from));
      });
    }
  }
}

TEST(Cat, KeepsTheMemoryFormatThatAllHave) {
  const Tensor last = empty({2, 3, 4, 5}, kFloat, MemoryFormat::ChannelsLast);
  EXPECT_TRUE(cat({last, last}, 1).is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(cat({last, empty({2, 3, 4, 5})}, 1).is_contiguous());
}

TEST(Cat, OfEmptyVectorsAsksForNoDimension) {
  const Tensor none = empty({0});
  EXPECT_EQ(cat({none, none}, 3).sizes(), IntArrayRef({0}));
}

TEST(Cat, PromotesDtypes) {
  const std::vector<Tensor> parts{counting<int64_t>({2}), filled<float>({1}, [](int64_t) { return 0.5F; })};
  const Tensor result = cat(parts);
  expect_elements<float>(result, {3}, [](const Index& index) { return index[0] == 2 ? 0.5 : double(index[0]); });
}

TEST(Cat, JoinsBooleans) {
  const std::vector<Tensor> parts{tensor<bool>({true, false}), tensor<bool>({true})};
  EXPECT_EQ(to_vector<bool>(cat(parts)), (std::vector<bool>{true, false, true}));
}

TEST(Cat, LeavesOutEmptyVectors) {
  const std::vector<Tensor> parts{empty({0}), counting<float>({2, 2}), empty({0})};
  expect_elements<float>(cat(parts, 1), {2, 2}, [](const Index& index) { return double(index[0] * 2 + index[1]); });
}

TEST(Cat, WritesIntoOut) {
  const std::vector<Tensor> parts{counting<float>({2, 2}), counting<float>({2, 1})};
  Tensor gaps = strided(empty({2, 3}, kFloat));
  cat_out(gaps, parts, 1);
  expect_elements<float>(gaps, {2, 3},
                         [](const Index& index) { return double(index[1] < 2 ? index[0] * 2 + index[1] : index[0]); });
  Tensor resized = empty({0}, kDouble);  // double represents every float
  cat_out(resized, parts, 1);
  EXPECT_EQ(resized.sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(at<double>(resized, {1, 1}), 3);
}

TEST(Cat, HasAShapeOnMeta) {
  const std::vector<Tensor> parts{empty({2, 2}, kMeta), empty({3, 2}, kMeta)};
  EXPECT_EQ(cat(parts).sizes(), IntArrayRef({5, 2}));
}

TEST(Cat, RefusesWhatDoesNotFit) {
  const auto join = [](std::vector<Tensor> parts, int64_t dim = 0) { return cat(parts, dim); };
  expect_error([&] { join({}); }, "cat: expected a non-empty list of tensors");
  expect_error([&] { join({counting<float>({2}), counting<float>({})}); }, "zero-dimensional tensors cannot be joined");
  expect_error([&] { join({counting<float>({2, 2}), counting<float>({2})}); },
               "expected all tensors to have 2 dimensions");
  expect_error([&] { join({counting<float>({2, 2}), counting<float>({2, 3})}); },
               "expected size 2 in dimension 1, got 3 for tensor number 1");
  expect_error([&] { join({counting<float>({2, 2})}, 2); }, "expected a dimension from -2 to 1, got 2");
  Tensor integers = empty({2}, kLong);
  const std::vector<Tensor> floats{counting<float>({2})};
  expect_error([&] { cat_out(integers, floats, 0); }, "`out` of dtype Long");
}

TEST(Cat, RefusesSizesThatAddUpToTooMany) {
  const Tensor vector = empty({int64_t{1} << 61}, TensorOptions(kByte, kMeta));
  const Tensor matrix = empty({int64_t{1} << 61, 1}, TensorOptions(kByte, kMeta));
  for (const Tensor& tensor : {vector, matrix}) {
    const std::vector<Tensor> tensors(8, tensor);
    expect_error([&] { cat(tensors); }, "cat: sizes along dimension 0 add up to more than an int64 holds");
  }
}

TEST(Cat, RefusesToOverwriteAnOperand) {
  Tensor part = counting<float>({2});
  const std::vector<Tensor> parts{part};
  expect_error([&] { cat_out(part, parts, 0); }, "in cat: the tensor to be written, of sizes [2]");
}

TEST(ChunkCat, PadsAndJoinsChunks) {
  const std::vector<Tensor> tensors{counting<float>({3, 2}), counting<float>({2, 1})};
  const Tensor result = _chunk_cat(tensors, 0, 2);
  const float expected[] = {0, 1, 2, 3, 0, 4, 5, 0, 0, 1};
  expect_elements<float>(result, {2, 5}, [&](const Index& at) { return expected[at[0] * 5 + at[1]]; });
  Tensor out = empty({0});
  expect_elements<float>(_chunk_cat_out(out, tensors, 0, 2), {2, 5},
                         [&](const Index& at) { return expected[at[0] * 5 + at[1]]; });
  expect_error([&] { _chunk_cat(tensors, 1, 2); }, "expected equal sizes before dimension 1, got [3, 2] and [2, 1]");
  expect_error([&] { _chunk_cat(tensors, 0, 0); }, "expected a positive `num_chunks`, got 0");
  expect_error([&] { _chunk_cat({}, 0, 1); }, "expected a non-empty list");
}

}  // namespace
}  // namespace structured::concatenation_test
