// view, transpose, select, slice and expand: views share the elements of their base.
#include <structured/ops/alias_copy.h>
#include <structured/ops/as_strided_copy.h>
#include <structured/ops/diagonal_copy.h>
#include <structured/ops/expand.h>
#include <structured/ops/expand_copy.h>
#include <structured/ops/permute_copy.h>
#include <structured/ops/select.h>
#include <structured/ops/select_copy.h>
#include <structured/ops/slice.h>
#include <structured/ops/slice_copy.h>
#include <structured/ops/split_copy.h>
#include <structured/ops/squeeze_copy.h>
#include <structured/ops/t.h>
#include <structured/ops/t_copy.h>
#include <structured/ops/transpose.h>
#include <structured/ops/transpose_copy.h>
#include <structured/ops/unbind_copy.h>
#include <structured/ops/unfold_copy.h>
#include <structured/ops/unsqueeze_copy.h>
#include <structured/ops/view.h>
#include <structured/ops/view_copy.h>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

void expect_view_of(const Tensor& view, const Tensor& base) {
  EXPECT_TRUE(view.is_view());
  EXPECT_TRUE(view.base().is_same(base));
  EXPECT_EQ(view.version(), base.version());
}

TEST(View, KeepsTheOrderOfElements) {
  const Tensor base = counting<float>({2, 3, 4});
  const Tensor flat = view(base, {24});
  expect_view_of(flat, base);
  expect_elements<float>(flat, {24}, [](const Index& index) { return double(index[0]); });
  expect_elements<float>(view(base, {6, -1}), {6, 4}, [](const Index& i) { return double(i[0] * 4 + i[1]); });
  expect_elements<float>(view(base, {1, 4, 6, 1}), {1, 4, 6, 1},
                         [](const Index& i) { return double(i[1] * 6 + i[2]); });
  expect_elements<float>(view(counting<float>({}), {1, 1}), {1, 1}, [](const Index&) { return 0; });
}

TEST(View, DividesDimensionsOfAStridedTensor) {
  const Tensor base = transpose(counting<float>({6, 4}), 0, 1);  // [4, 6], strides [1, 4]
  expect_elements<float>(view(base, {2, 2, 3, 2}), {2, 2, 3, 2},
                         [](const Index& i) { return double((i[0] * 2 + i[1]) + 4 * (i[2] * 2 + i[3])); });
}

TEST(View, ShapesTensorsWithoutElements) { EXPECT_EQ(view(empty({0, 3}), {3, 0, 5}).sizes(), IntArrayRef({3, 0, 5})); }

TEST(View, RefusesWhatDoesNotFit) {
  const Tensor base = counting<float>({2, 3});
  expect_error([&] { view(base, {4, 2}); }, "sizes [4, 2] do not fit 6 elements");
  expect_error([&] { view(base, {4, -1}); }, "sizes [4, -1] do not fit 6 elements");
  expect_error([&] { view(base, {-1, -1}); }, "at most one size to be -1");
  expect_error([&] { view(base, {-2, 3}); }, "expected sizes of 0 or more");
  expect_error([&] { view(transpose(base, 0, 1), {6}); }, "a copy is needed");
  expect_error([&] { view(empty({0}), {-1, 0}); }, "cannot be inferred");
  expect_error([&] { view(base, {int64_t{1} << 62, 4, 4}); }, "more elements than 64 bits can count");
}

TEST(Transpose, ExchangesTwoDimensions) {
  const Tensor base = counting<float>({2, 3, 4});
  const Tensor result = transpose(base, 0, -1);
  expect_view_of(result, base);
  expect_elements<float>(result, {4, 3, 2}, [](const Index& i) { return double(i[2] * 12 + i[1] * 4 + i[0]); });
  EXPECT_EQ(transpose(counting<float>({}), 0, -1).dim(), 0);
  expect_error([&] { transpose(base, 0, 3); }, "expected a dimension from -3 to 2, got 3");
}

TEST(Select, TakesOnePositionOfADimension) {
  const Tensor base = counting<float>({2, 3, 4});
  const Tensor row = select(base, 1, -1);
  expect_view_of(row, base);
  expect_elements<float>(row, {2, 4}, [](const Index& i) { return double(i[0] * 12 + 8 + i[1]); });
  EXPECT_EQ(to_vector<float>(select(counting<float>({3}), 0, 2)), std::vector<float>{2});
  EXPECT_EQ(select(transpose(base, 0, 2), -1, 1).storage_offset(), 12);
}

TEST(Select, RefusesPositionsOutside) {
  const Tensor base = counting<float>({2, 3});
  expect_error([&] { select(base, 0, 2); }, "expected an index from -2 to 1 in dimension 0, got 2");
  expect_error([&] { select(base, 1, -4); }, "expected an index from -3 to 2 in dimension 1, got -4");
  expect_error([&] { select(base, 2, 0); }, "expected a dimension from -2 to 1, got 2");
  expect_error([&] { select(counting<float>({}), 0, 0); }, "at least one dimension");
}

TEST(Slice, TakesWhatLiesBetween) {
  const Tensor base = counting<float>({10});
  const auto expect = [&](const Tensor& result, std::vector<float> elements) {
    EXPECT_EQ(to_vector<float>(result), elements);
    expect_view_of(result, base);
  };
  expect(slice(base, 0, 2, 5), {2, 3, 4});
  expect(slice(base, 0, -3), {7, 8, 9});
  expect(slice(base, 0, std::nullopt, -8), {0, 1});
  expect(slice(base, 0, 1, 100, 4), {1, 5, 9});
  expect(slice(base, 0, 5, 2), {});
  expect(slice(base, 0, -100, 1), {0});
  const Tensor matrix = counting<float>({3, 4});
  expect_elements<float>(slice(matrix, 1, 1, 3), {3, 2}, [](const Index& i) { return double(i[0] * 4 + i[1] + 1); });
}

TEST(Slice, RefusesWhatItCannotStepThrough) {
  const Tensor base = counting<float>({10});
  expect_error([&] { slice(base, 0, 0, 5, 0); }, "expected a positive `step`, got 0");
  expect_error([&] { slice(counting<float>({}), 0); }, "at least one dimension");
}

TEST(Expand, RepeatsWithoutACopy) {
  const Tensor base = counting<float>({3, 1});
  const Tensor result = expand(base, {2, -1, 4});
  expect_view_of(result, base);
  EXPECT_EQ(result.strides(), IntArrayRef({0, 1, 0}));
  expect_elements<float>(result, {2, 3, 4}, [](const Index& i) { return double(i[1]); });
  expect_elements<float>(expand(counting<float>({}), {2, 2}), {2, 2}, [](const Index&) { return 0; });
  EXPECT_EQ(expand(base, {1, 3, 1}).strides(), IntArrayRef({3, 1, 1}));
}

TEST(Expand, RefusesWhatDoesNotFit) {
  const Tensor base = counting<float>({3, 1});
  expect_error([&] { expand(base, {3}); }, "expected at least as many sizes");
  expect_error([&] { expand(base, {4, 1}); }, "dimension 0 of size 3 cannot be given the size 4");
  expect_error([&] { expand(base, {-1, 3, 1}); }, "-1 only for dimensions that `self` has");
}

TEST(ViewCopy, HasMemoryOfItsOwn) {
  const Tensor base = counting<float>({2, 3});
  const Tensor turned = transpose_copy(base, 0, 1);
  EXPECT_FALSE(turned.is_view());
  EXPECT_EQ(turned.strides(), IntArrayRef({2, 1}));
  expect_elements<float>(turned, {3, 2}, [](const Index& i) { return double(i[1] * 3 + i[0]); });
  expect_elements<float>(permute_copy(base, {1, 0}), {3, 2}, [](const Index& i) { return double(i[1] * 3 + i[0]); });
  EXPECT_EQ(expand_copy(counting<float>({3}), {2, 3}).strides(), IntArrayRef({3, 1}));
  EXPECT_EQ(to_vector<float>(view_copy(t(base), {6})), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(to_vector<float>(slice_copy(base, 1, 0, 3, 2)), (std::vector<float>{0, 2, 3, 5}));
  EXPECT_EQ(to_vector<float>(select_copy(base, 1, 1)), (std::vector<float>{1, 4}));
  EXPECT_EQ(to_vector<float>(diagonal_copy(base)), (std::vector<float>{0, 4}));
  EXPECT_EQ(to_vector<float>(as_strided_copy(base, {2}, {4})), (std::vector<float>{0, 4}));
  EXPECT_EQ(unfold_copy(base, 1, 2, 1).strides(), IntArrayRef({4, 2, 1}));
  EXPECT_EQ(squeeze_copy(unsqueeze_copy(base, 0)).sizes(), base.sizes());
  const std::vector<Tensor> columns = unbind_copy(base, 1);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(to_vector<float>(columns[2]), (std::vector<float>{2, 5}));
}

TEST(ViewCopy, WritesIntoOut) {
  const Tensor base = counting<float>({2, 3});
  Tensor out = empty({0});
  t_copy_out(out, base);
  EXPECT_EQ(to_vector<float>(out), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  Tensor wide = empty({0}, kDouble);
  expect_error([&] { alias_copy_out(wide, base); }, "alias_copy: expected `out` of dtype Float, got Double");
  const std::vector<Tensor> parts{empty({0}), empty({0})};
  split_copy_out(parts, base, 2, 1);
  EXPECT_EQ(to_vector<float>(parts[1]), (std::vector<float>{2, 5}));
  expect_error([&] { unbind_copy_out(parts, base, 1); }, "unbind_copy: expected 3 tensors in `out`, got 2");
  const Tensor memory = empty({1}, kFloat);
  const std::vector<Tensor> shared{as_strided(memory, {0}, {1}, 0), as_strided(memory, {0}, {1}, 0)};
  expect_error([&] { split_copy_out(shared, base, 2, 1); }, "got outputs 0 and 1 with memory in common");
  EXPECT_EQ(shared[0].numel(), 0);
}

}  // namespace
}  // namespace structured
