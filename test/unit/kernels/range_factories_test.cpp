// Factories of ranges and matrices, *_like factories, conversions and resizing.
#include <structured/ops/_to_copy.h>
#include <structured/ops/arange.h>
#include <structured/ops/contiguous.h>
#include <structured/ops/equal.h>
#include <structured/ops/eye.h>
#include <structured/ops/fill.h>
#include <structured/ops/linspace.h>
#include <structured/ops/logspace.h>
#include <structured/ops/new_full.h>
#include <structured/ops/resize.h>
#include <structured/ops/to.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril_indices.h>
#include <structured/ops/triu_indices.h>
#include <structured/ops/zero.h>

#include <cmath>
#include <limits>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

TEST(Arange, CountsInTheDtypeOfItsNumbers) {
  EXPECT_EQ(to_vector<int64_t>(arange(3)), std::vector<int64_t>({0, 1, 2}));
  EXPECT_EQ(to_vector<int64_t>(arange(5, -1, -2)), std::vector<int64_t>({5, 3, 1}));
  EXPECT_EQ(to_vector<float>(arange(0, 1, 0.25)), std::vector<float>({0, 0.25, 0.5, 0.75}));
  Tensor out = empty({2, 2}, kInt);
  EXPECT_EQ(arange_out(out, 4).sizes(), IntArrayRef({2, 2}));
  EXPECT_EQ(out.data_ptr<int32_t>()[3], 3);
  EXPECT_EQ(to_vector<int64_t>(arange(1.7, 6.2, 1, empty({}, kLong).options())), std::vector<int64_t>({1, 2, 3, 4, 5}));
  EXPECT_EQ(to_vector<int32_t>(arange(0, 3, 0.5, empty({}, kInt).options())), std::vector<int32_t>(6, 0));
  EXPECT_EQ(arange(int64_t{1} << 40, empty({}, kMeta).options().dtype(kLong)).numel(), int64_t{1} << 40);
}

TEST(Arange, RefusesStepsThatDoNotLeadToTheEnd) {
  expect_error([] { arange(0.1, 0, 1, empty({}, kLong).options()); }, "expected a `step` that leads from 0.1 to 0");
  expect_error([] { arange(0, 1, 0); }, "expected a `step` other than 0");
  expect_error([] { arange(0, 1, -1); }, "expected a `step` that leads from 0 to 1, got -1");
  expect_error([] { arange(0, std::numeric_limits<double>::infinity()); }, "expected finite bounds");
  expect_error([] { arange(0.0, 1e30, 1); }, "fits 64 bits");
  expect_error([] { arange(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()); },
               "fits 64 bits");
}

TEST(Linspace, MeetsBothEnds) {
  expect_elements<float>(linspace(-1, 2, 4), {4}, [](const Index& i) { return double(i[0] - 1); });
  expect_elements<float>(linspace(5, 9, 1), {1}, [](const Index&) { return 5; });
  EXPECT_EQ(linspace(0, 1, 0).numel(), 0);
  Tensor out = strided(empty({3, 2}));
  expect_elements<float>(linspace_out(out, 0, 5, 6), {3, 2}, [](const Index& i) { return double(i[0] * 2 + i[1]); });
  expect_elements<float>(logspace(0, 3, 4), {4}, [](const Index& i) { return std::pow(10.0, double(i[0])); }, 1e-6);
  expect_error([] { linspace(0, 1, -1); }, "expected `steps` of 0 or more, got -1");
  expect_error([] { linspace(Complex<double>(0, 1), 1, 3, TensorOptions(kFloat)); }, "expected a complex `dtype`");
}

TEST(Eye, HasOnesOnItsDiagonal) {
  Tensor out = empty_strided({2, 3}, {1, 2}, kLong);
  eye_out(out, 2, 3);
  expect_elements<int64_t>(out, {2, 3}, [](const Index& i) { return double(i[0] == i[1]); });
  expect_elements<float>(eye(3), {3, 3}, [](const Index& i) { return double(i[0] == i[1]); });
  expect_error([] { eye(2, -1); }, "expected sizes of 0 or more, got 2 and -1");
}

TEST(TriangleIndices, GoRowByRow) {
  EXPECT_EQ(to_vector<int64_t>(tril_indices(3, 2)), std::vector<int64_t>({0, 1, 1, 2, 2, 0, 0, 1, 0, 1}));
  EXPECT_EQ(to_vector<int64_t>(triu_indices(2, 3, 1)), std::vector<int64_t>({0, 0, 1, 1, 2, 2}));
  for (int64_t row = 0; row < 5; ++row) {
    for (int64_t col = 0; col < 5; ++col) {
      for (int64_t offset = -6; offset < 7; ++offset) {
        int64_t below = 0;
        for (int64_t r = 0; r < row; ++r) {
          for (int64_t c = 0; c < col; ++c) below += c - r <= offset;
        }
        EXPECT_EQ(tril_indices(row, col, offset).size(1), below);
        EXPECT_EQ(triu_indices(row, col, offset + 1).size(1), row * col - below);
      }
    }
  }
  expect_error([] { tril_indices(-1, 2); }, "expected `row` and `col` of 0 or more");
}

TEST(TriangleIndices, TakeAnyNumbers) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(triu_indices(20, most, most).sizes(), IntArrayRef({2, 0}));
  EXPECT_EQ(tril_indices(2, most, 0).sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(tril_indices(most, 0, most).sizes(), IntArrayRef({2, 0}));
  EXPECT_EQ(triu_indices(most, 2, 0).sizes(), IntArrayRef({2, 3}));
  expect_error([&] { triu_indices(20, most, 7); }, "triu_indices: too many positions");
  expect_error([&] { tril_indices(2, 2, 0, TensorOptions(kLong).pinned_memory(true)); }, "`pin_memory` to be false");
  expect_error([&] { tril_indices(2, 2, 0, TensorOptions(kLong).layout(Layout::Sparse)); }, "layout Strided");
}

TEST(NewFull, TakesWhatIsLeftOpenFromATensor) {
  const Tensor like = empty({1}, kDouble);
  EXPECT_EQ(new_full(like, {2}, 3).dtype(), kDouble);
  EXPECT_EQ(new_full(like, {2}, 3, TensorOptions(kInt)).data_ptr<int32_t>()[1], 3);
}

TEST(Conversion, CopiesOnlyWhereSomethingChanges) {
  const Tensor base = transpose(counting<float>({2, 3}), 0, 1);
  EXPECT_TRUE(to(base, kFloat).is_same(base));
  EXPECT_FALSE(to(base, kFloat, false, true).is_same(base));
  const Tensor converted = to(base, kLong);
  EXPECT_EQ(converted.strides(), base.strides());
  expect_elements<int64_t>(converted, {3, 2}, [](const Index& i) { return double(i[1] * 3 + i[0]); });
  EXPECT_TRUE(contiguous(base).is_contiguous());
}

TEST(Fill, TakesTheValueFromATensor) {
  Tensor tensor = strided(counting<float>({2, 3}));
  fill_(tensor, scalar_tensor(2, kLong));
  expect_elements<float>(tensor, {2, 3}, [](const Index&) { return 2; });
  zero_(tensor);
  expect_elements<float>(tensor, {2, 3}, [](const Index&) { return 0; });
  expect_error([&] { fill_(tensor, counting<float>({1})); }, "expected `value` to have no dimensions, got 1");
}

TEST(Equal, ComparesSizesAndElements) {
  const Tensor base = counting<float>({2, 3});
  EXPECT_TRUE(equal(base, strided(base)));
  EXPECT_FALSE(equal(base, counting<float>({3, 2})));
  EXPECT_FALSE(equal(base, transpose(counting<float>({3, 2}), 0, 1)));
  const Tensor nan = filled<float>({1}, [](int64_t) { return std::nanf(""); });
  EXPECT_FALSE(equal(nan, nan));
  EXPECT_TRUE(equal(tensor<float>({0.0f}), tensor<float>({-0.0f})));
  expect_error([&] { equal(base, counting<double>({2, 3})); }, "expected tensors of one dtype, got Float and Double");
}

TEST(Resize, KeepsTheElementsThatAreThere) {
  Tensor tensor = counting<float>({4});
  resize_(tensor, {2, 3});
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.data_ptr<float>()[3], 3);
  expect_error([&] { resize_(tensor, {-1}); }, "expected sizes of 0 or more, got [-1]");
  expect_error([&] { resize_(tensor, {int64_t{1} << 40, int64_t{1} << 40}); }, "elements that fits int64_t");
  EXPECT_EQ(tensor.sizes(), IntArrayRef({2, 3}));
}

TEST(Linspace, TakesBoundsFromTensors) {
  const Tensor two = scalar_tensor(2, kInt);
  EXPECT_EQ(to_vector<float>(linspace(scalar_tensor(0.0F), two, 3)), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(to_vector<float>(linspace(two, Scalar(0), 3)), (std::vector<float>{2, 1, 0}));
  EXPECT_EQ(to_vector<int32_t>(logspace(Scalar(0), two, 3, 10, empty({}, kInt).options())),
            (std::vector<int32_t>{1, 10, 100}));
  EXPECT_EQ(linspace(scalar_tensor(Complex<float>(0, 1), kComplexFloat), Scalar(2), 3).scalar_type(), kComplexFloat);
  Tensor out = empty({0});
  EXPECT_EQ(to_vector<float>(logspace_out(out, two, two, 1)), std::vector<float>{100});
  expect_error([&] { linspace(two, tensor<float>({2}), 3); }, "linspace: expected `end` to have no dimensions, got 1");
}

}  // namespace
}  // namespace structured
