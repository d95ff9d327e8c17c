// Views that change dimensions or shape.
#include <structured/ops/as_strided.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/flatten.h>
#include <structured/ops/movedim.h>
#include <structured/ops/permute.h>
#include <structured/ops/reshape.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/t.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unflatten.h>
#include <structured/ops/unfold.h>
#include <structured/ops/unfold_backward.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <limits>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(Squeeze, DropsDimensionsOfOneElement) {
  const Tensor base = counting<float>({1, 3, 1, 2});
  const Tensor all = squeeze(base);
  EXPECT_TRUE(all.base().is_same(base));
  expect_elements<float>(all, {3, 2}, [](const Index& i) { return double(i[0] * 2 + i[1]); });
  EXPECT_EQ(squeeze(base, -2).sizes(), IntArrayRef({1, 3, 2}));
  EXPECT_EQ(squeeze(base, 1).sizes(), base.sizes());
  EXPECT_EQ(squeeze(counting<float>({}), 0).dim(), 0);
  expect_error([&] { squeeze(base, 4); }, "expected a dimension from -4 to 3, got 4");
}

TEST(Squeeze, DropsThoseThatAreListed) {
  Tensor self = empty({1, 2, 1, 1});
  const Tensor view = squeeze(self, IntArrayRef({0, 1, -1}));
  EXPECT_EQ(view.sizes(), IntArrayRef({2, 1}));
  EXPECT_EQ(view.data(), self.data());
  EXPECT_EQ(squeeze(self, IntArrayRef()).sizes(), self.sizes());
  expect_error([&] { squeeze(self, IntArrayRef({3, -1})); }, "squeeze: expected distinct dimensions");
  squeeze_(self, IntArrayRef({2, 3}));
  EXPECT_EQ(self.sizes(), IntArrayRef({1, 2}));
}

TEST(Unsqueeze, AddsADimensionOfOneElement) {
  const Tensor base = transpose(counting<float>({2, 3}), 0, 1);
  EXPECT_EQ(unsqueeze(base, 1).strides(), IntArrayRef({1, 6, 3}));
  EXPECT_EQ(unsqueeze(base, -1).strides(), IntArrayRef({1, 3, 1}));
  EXPECT_EQ(unsqueeze(counting<float>({}), -1).sizes(), IntArrayRef({1}));
  expect_error([&] { unsqueeze(base, 3); }, "expected a dimension from -3 to 2, got 3");
}

TEST(Views, InPlaceChangeTheShapeOfTheTensorItself) {
  Tensor tensor = counting<float>({2, 3});
  const void* data = tensor.data();
  EXPECT_TRUE(transpose_(tensor, 0, 1).is_same(tensor));
  unsqueeze_(tensor, 0);
  expect_elements<float>(tensor, {1, 3, 2}, [](const Index& i) { return double(i[2] * 3 + i[1]); });
  squeeze_(tensor);
  t_(tensor);
  EXPECT_TRUE(tensor.is_contiguous());
  as_strided_(tensor, {2}, {2}, 1);
  EXPECT_EQ(tensor.storage_offset(), 1);
  EXPECT_EQ(tensor.storage().data(), data);
  expect_elements<float>(tensor, {2}, [](const Index& i) { return double(1 + 2 * i[0]); });
  expect_error([&] { as_strided_(tensor, {4}, {2}, 0); }, "24 bytes, got one that needs 28");
  EXPECT_EQ(tensor.sizes(), IntArrayRef({2}));
}

TEST(Permute, PutsDimensionsInAnotherOrder) {
  const Tensor base = counting<float>({2, 3, 4});
  expect_elements<float>(permute(base, {2, 0, -2}), {4, 2, 3},
                         [](const Index& i) { return double(i[1] * 12 + i[2] * 4 + i[0]); });
  expect_error([&] { permute(base, {0, 1}); }, "expected as many `dims` as `self` has (3), got [0, 1]");
  expect_error([&] { permute(base, {0, 1, -3}); }, "expected distinct `dims`, got [0, 1, -3]");
}

TEST(Movedim, KeepsTheOrderOfTheOthers) {
  const Tensor base = empty({2, 3, 4, 5});
  EXPECT_EQ(movedim(base, {0, 1}, {-1, 0}).sizes(), IntArrayRef({3, 4, 5, 2}));
  EXPECT_EQ(movedim(base, 3, 1).sizes(), IntArrayRef({2, 5, 3, 4}));
  expect_error([&] { movedim(base, {0, 0}, {1, 2}); }, "expected distinct dimensions in `source`");
  expect_error([&] { movedim(base, {0, 1}, {1, 1}); }, "expected distinct dimensions in `destination`");
}

TEST(Diagonal, ShowsEqualPositionsOfTwoDimensions) {
  const Tensor base = counting<float>({3, 2, 4});
  expect_elements<float>(diagonal(base, 1, 0, 2), {2, 3},
                         [](const Index& i) { return double(i[1] * 8 + i[0] * 4 + i[1] + 1); });
  expect_elements<float>(diagonal(base, -2, 0, 2), {2, 1}, [](const Index& i) { return double(16 + i[0] * 4); });
  EXPECT_EQ(diagonal(base, 4, 0, 2).sizes(), IntArrayRef({2, 0}));
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(diagonal(base, least, 0, 2).sizes(), IntArrayRef({2, 0}));
  EXPECT_EQ(diagonal(base, std::numeric_limits<int64_t>::max(), 0, 2).sizes(), IntArrayRef({2, 0}));
  expect_error([&] { diagonal(base, 0, 1, -2); }, "expected two dimensions, got 1 and -2");
}

TEST(Unfold, ShowsWindows) {
  const Tensor base = counting<float>({7});
  expect_elements<float>(unfold(base, 0, 3, 2), {3, 3}, [](const Index& i) { return double(2 * i[0] + i[1]); });
  EXPECT_EQ(unfold(counting<float>({}), 0, 1, 5).sizes(), IntArrayRef({1}));
  expect_error([&] { unfold(base, 0, 8, 1); }, "expected a `size` from 0 to 7, got 8");
  // Elements in two windows get the gradients of both.
  expect_elements<float>(unfold_backward(counting<float>({3, 3}), {7}, 0, 3, 2), {7}, [](const Index& i) {
    const double sums[] = {0, 1, 5, 4, 11, 7, 8};
    return sums[i[0]];
  });
  expect_error([&] { unfold(base, 0, 1, 0); }, "expected a positive `step`, got 0");
}

TEST(AsStrided, StaysWithinTheStorage) {
  const Tensor base = counting<float>({6});
  expect_elements<float>(as_strided(base, {2, 2}, {1, 2}, 1), {2, 2},
                         [](const Index& i) { return double(1 + i[0] + 2 * i[1]); });
  expect_error([&] { as_strided(base, {7}, {1}); }, "24 bytes, got one that needs 28");
  expect_error([&] { as_strided(base, {2}, {1}, -1); }, "storage offset of 0 or more, got -1");
}

TEST(Reshape, CopiesOnlyWhereNoViewDoes) {
  const Tensor base = counting<float>({2, 6});
  EXPECT_TRUE(reshape(base, {3, -1}).base().is_same(base));
  const Tensor copy = reshape(transpose(base, 0, 1), {-1});
  EXPECT_FALSE(copy.storage().is_same(base.storage()));
  expect_elements<float>(copy, {12}, [](const Index& i) { return double(i[0] % 2 * 6 + i[0] / 2); });
  expect_error([&] { reshape(base, {5, -1}); }, "reshape: sizes [5, -1] do not fit 12 elements");
}

TEST(Flatten, MakesSeveralDimensionsOneAndBack) {
  const Tensor base = counting<float>({2, 3, 4});
  EXPECT_EQ(flatten(base, 1).sizes(), IntArrayRef({2, 12}));
  EXPECT_EQ(flatten(counting<float>({})).sizes(), IntArrayRef({1}));
  EXPECT_EQ(unflatten(base, -1, {2, -1}).sizes(), IntArrayRef({2, 3, 2, 2}));
  expect_error([&] { flatten(base, 2, 1); }, "expected `start_dim` <= `end_dim`");
}

TEST(ComplexViews, ArePairsOfRealNumbers) {
  const Tensor pairs = counting<float>({3, 2});
  const Tensor numbers = view_as_complex(pairs);
  EXPECT_TRUE(numbers.base().is_same(pairs));
  EXPECT_EQ(numbers.data_ptr<Complex<float>>()[2], Complex<float>(4, 5));
  const Tensor back = view_as_real(numbers);
  expect_elements<float>(back, {3, 2}, [](const Index& i) { return double(i[0] * 2 + i[1]); });
  expect_error([&] { view_as_complex(counting<float>({2, 3})); }, "expected a last dimension of size 2");
  expect_error([&] { view_as_complex(counting<int64_t>({2, 2})); }, "expected `self` of dtype");
  expect_error([&] { view_as_real(pairs); }, "expected a complex dtype, got Float");
}

}  // namespace
}  // namespace structured
