// softmax, log_softmax and logsumexp.
#include <structured/device/simd_level.h>
#include <structured/ops/_log_softmax.h>
#include <structured/ops/_log_softmax_backward_data.h>
#include <structured/ops/_safe_softmax.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/_softmax_backward_data.h>
#include <structured/ops/log_softmax.h>
#include <structured/ops/logsumexp.h>
#include <structured/ops/softmax.h>
#include <structured/ops/transpose.h>

#include <cmath>

#include "kernels/expect.h"

namespace structured::softmax_test {
namespace {

using namespace test;

double value_at(const Tensor& self, const Index& index) {
  return self.scalar_type() == kDouble ? at<double>(self, index) : static_cast<double>(at<float>(self, index));
}

// Returns log(sum(exp(x))) along `dim` at `index`, by definition.
double log_sum(const Tensor& self, Index index, size_t dim) {
  double sum = 0;
  for (index[dim] = 0; index[dim] < self.sizes()[dim]; ++index[dim]) sum += std::exp(value_at(self, index));
  return std::log(sum);
}

template <class T>
void expect_softmax(const Tensor& self, int64_t dim) {
  const auto wrapped = static_cast<size_t>(dim < 0 ? dim + self.dim() : dim);
  const double tolerance = std::is_same_v<T, double> ? 1e-13 : 2e-6;
  const auto expected = [&](const Index& index) { return value_at(self, index) - log_sum(self, index, wrapped); };
  expect_elements<T>(
      softmax(self, dim), self.sizes(), [&](const Index& index) { return std::exp(expected(index)); }, tolerance);
  expect_elements<T>(log_softmax(self, dim), self.sizes(), expected, tolerance);
}

template <class T>
Tensor waves(IntArrayRef sizes) {
  return filled<T>(sizes, [](int64_t i) { return static_cast<T>(4 * std::sin(static_cast<double>(i))); });
}

TEST(Softmax, IsThatOfEachDimension) {
  // Rows with and without a remainder, few and many columns.
  for (const Index& sizes : {Index{3, 7}, Index{2, 64}, Index{2, 75, 3}, Index{2, 5, 300}, Index{7}}) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim) {
      expect_softmax<float>(waves<float>(sizes), dim);
      expect_softmax<double>(waves<double>(sizes), dim - static_cast<int64_t>(sizes.size()));
    }
  }
}

TEST(Softmax, TakesAnyStridesAndGivesDenseResults) {
  const Tensor self = waves<float>({5, 40});
  expect_softmax<float>(strided(self), 1);
  const Tensor result = softmax(transpose(self, 0, 1), 0);
  EXPECT_TRUE(result.is_contiguous());
  expect_softmax<float>(transpose(self, 0, 1), 0);
}

TEST(Softmax, BearsLargeNumbersAndInfinities) {
  const Tensor self = tensor<float>({1000, 1000, -kInfinity, kInfinity, 0, 0, kNan, 0, 0}, {3, 3});
  const Tensor result = softmax(self, 1);
  EXPECT_EQ(at<float>(result, {0, 0}), 0.5f);
  EXPECT_EQ(at<float>(result, {0, 2}), 0.0f);
  for (int64_t column = 0; column < 3; ++column) EXPECT_TRUE(std::isnan(at<float>(result, {2, column})));
  EXPECT_EQ(at<float>(log_softmax(self, 1), {0, 2}), -kInfinity);
  EXPECT_TRUE(std::isnan(at<float>(softmax(tensor<float>({-kInfinity, -kInfinity}), 0), {0})));
}

TEST(Softmax, HasEmptyAnd0DimensionalResults) {
  EXPECT_EQ(softmax(empty({3, 0}), 1).sizes(), IntArrayRef({3, 0}));
  EXPECT_EQ(softmax(scalar_tensor(5.0f), 0).item<float>(), 1);
  EXPECT_EQ(log_softmax(scalar_tensor(5.0f), -1).item<float>(), 0);
}

TEST(Softmax, ConvertsBefore) {
  const Tensor self = tensor<int64_t>({1, 2, 3});
  expect_elements<float>(
      softmax(self, 0, kFloat), {3}, [](const Index& index) { return std::exp(index[0] - 2.4076059644); }, 1e-6);
  Tensor out = empty({0}, kDouble);
  softmax_out(out, self, 0, kDouble);
  EXPECT_NEAR(at<double>(out, {2}), 0.66524095577, 1e-9);
}

TEST(Softmax, ComputesHalvesInFloat) {
  const Tensor self = filled<Half>({4096}, [](int64_t) { return Half(1); });
  EXPECT_EQ(static_cast<float>(at<Half>(softmax(self, 0), {5})), 0x1p-12f);
  EXPECT_EQ(_softmax(self, 0, true).dtype(), kFloat);
}

TEST(Softmax, HasTheSameBitsWithAllVectorInstructions) {
  const SimdLevel before = simd_level();
  for (const Index& sizes : {Index{3, 7}, Index{2, 75}, Index{75, 2, 20}}) {
    const Tensor self = waves<float>(sizes);
    const std::vector<float> expected = to_vector<float>(softmax(self, sizes.size() == 2 ? 1 : 0));
    for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
      set_simd_level(static_cast<SimdLevel>(level));
      EXPECT_EQ(to_vector<float>(softmax(self, sizes.size() == 2 ? 1 : 0)), expected);
    }
    set_simd_level(before);
  }
}

// Expects the gradients of softmax and log_softmax along `dim` to be those of their definitions.
template <class T>
void expect_gradients(const Tensor& grad, const Tensor& self, int64_t dim, double tolerance) {
  const int64_t wrapped = dim < 0 ? dim + self.dim() : dim;
  const auto check = [&](const Tensor& output, const Tensor& actual, bool is_log) {
    expect_elements<T>(
        actual, self.sizes(),
        [&](const Index& index) {
          Index other = index;
          double sum = 0;
          for (int64_t i = 0; i < self.size(wrapped); ++i) {
            other[static_cast<std::size_t>(wrapped)] = i;
            sum += at<T>(grad, other) * (is_log ? 1.0 : static_cast<double>(at<T>(output, other)));
          }
          const double g = at<T>(grad, index);
          const double y = at<T>(output, index);
          return is_log ? g - std::exp(y) * sum : y * (g - sum);
        },
        tolerance);
  };
  const Tensor y = softmax(self, dim);
  check(y, _softmax_backward_data(grad, y, dim, self.scalar_type()), false);
  const Tensor z = log_softmax(self, dim);
  check(z, _log_softmax_backward_data(grad, z, dim, self.scalar_type()), true);
}

TEST(SoftmaxGradient, IsThatOfEachDimension) {
  for (const Index& sizes : {Index{5}, Index{3, 70}, Index{70, 3}, Index{2, 5, 300}, Index{4, 3, 2, 5}}) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim) {
      expect_gradients<float>(filled<float>(sizes, [](int64_t i) { return static_cast<float>(i % 7) - 2; }),
                              waves<float>(sizes), dim, 1e-4);
      expect_gradients<double>(filled<double>(sizes, [](int64_t i) { return static_cast<double>(i % 5) - 1; }),
                               waves<double>(sizes), dim - static_cast<int64_t>(sizes.size()), 1e-9);
    }
  }
  const Tensor grad = waves<float>({6, 40});
  expect_gradients<float>(strided(grad), strided(waves<float>({6, 40})), 1, 1e-4);
}

TEST(SoftmaxGradient, NarrowsToHalf) {
  const Tensor grad = tensor<float>({1, 2, 4});
  const Tensor y = _softmax(tensor<Half>({Half(0), Half(1), Half(2)}), 0, true);
  const Tensor narrow = _softmax_backward_data(grad, y, 0, kHalf);
  EXPECT_EQ(narrow.dtype(), kHalf);
  EXPECT_NEAR(static_cast<float>(at<Half>(narrow, {2})), at<float>(_softmax_backward_data(grad, y, 0, kFloat), {2}),
              1e-3);
}

TEST(SoftmaxGradient, ChecksShapesAndDtypes) {
  const Tensor y = softmax(waves<float>({2, 3}), 1);
  EXPECT_EQ(_softmax_backward_data(empty({3, 0}), empty({3, 0}), 1, kFloat).sizes(), IntArrayRef({3, 0}));
  expect_error([&] { (void)_softmax_backward_data(empty({3, 2}), y, 1, kFloat); },
               "_softmax_backward_data: expected `grad_output` and `output` of one shape, got [3, 2] and [2, 3]");
  expect_error([&] { (void)_log_softmax_backward_data(empty({2, 3}, kDouble), y, 1, kDouble); },
               "_log_softmax_backward_data: expected `grad_output` and `output` of one dtype, got Double and Float");
  expect_error(
      [&] { (void)_softmax_backward_data(y, y, 1, kDouble); },
      "_softmax_backward_data: expected `input_dtype` Float, or Half with `grad_output` of dtype Float, got Double");
  expect_error([&] { (void)_softmax_backward_data(y, y, 2, kFloat); },
               "`dim`: expected a dimension from -2 to 1, got 2");
}

TEST(Softmax, WritesIntoOutOfAnyLayout) {
  const Tensor self = waves<float>({6, 40});
  Tensor out = strided(self);
  softmax_out(out, self, 1);
  EXPECT_FALSE(out.is_contiguous());
  expect_elements<float>(out, {6, 40}, [&](const Index& index) { return at<float>(softmax(self, 1), index); });
}

TEST(Softmax, RefusesIntegersAndDimensionsThatAreNotThere) {
  expect_error([] { softmax(counting<int64_t>({3}), 0); }, "_softmax: expected `self` of dtype");
  expect_error([] { _softmax(counting<float>({3}), 0, true); }, "of dtype Half for `half_to_float`, got Float");
  expect_error([] { log_softmax(counting<float>({3}), 1); }, "expected a dimension from -1 to 0, got 1");
  EXPECT_EQ(softmax(empty({2, 3}, kMeta), 1).sizes(), IntArrayRef({2, 3}));
}

TEST(LogSumExp, IsThatOfAnyDimensions) {
  const Tensor self = waves<float>({3, 5});
  expect_elements<float>(
      logsumexp(self, 1), {3}, [&](const Index& index) { return log_sum(self, {index[0], 0}, 1); }, 1e-6);
  expect_elements<float>(
      logsumexp(self, 0, true), {1, 5}, [&](const Index& index) { return log_sum(self, {0, index[1]}, 0); }, 1e-6);
  EXPECT_NEAR(logsumexp(counting<int64_t>({2, 2}), {0, 1}).item<float>(), 3.4401897, 1e-6);
}

TEST(LogSumExp, BearsInfinitiesAndNoElements) {
  EXPECT_EQ(logsumexp(tensor<float>({-kInfinity, -kInfinity}), 0).item<float>(), -kInfinity);
  EXPECT_EQ(logsumexp(tensor<float>({1000, kInfinity}), 0).item<float>(), kInfinity);
  EXPECT_EQ(logsumexp(empty({0}), 0).item<float>(), -kInfinity);
  EXPECT_NEAR(logsumexp(tensor<float>({1000, 1000}), 0).item<float>(), 1000.6931f, 1e-3);
}

TEST(SafeSoftmax, IsZeroWhereEverythingIsMasked) {
  const Tensor self = tensor<float>({-kInfinity, -kInfinity, 0, 0}, {2, 2});
  EXPECT_EQ(to_vector<float>(_safe_softmax(self, -1)), (std::vector<float>{0, 0, 0.5F, 0.5F}));
  EXPECT_EQ(_safe_softmax(self, -1, kDouble).scalar_type(), kDouble);
}

}  // namespace
}  // namespace structured::softmax_test
