// Integer gcd, lcm and shifts, angles, infinities, log-probabilities, and complex numbers made from real ones.
#include <structured/ops/angle.h>
#include <structured/ops/bitwise_left_shift.h>
#include <structured/ops/bitwise_right_shift.h>
#include <structured/ops/celu.h>
#include <structured/ops/complex.h>
#include <structured/ops/deg2rad.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/gcd.h>
#include <structured/ops/isneginf.h>
#include <structured/ops/isposinf.h>
#include <structured/ops/item.h>
#include <structured/ops/lcm.h>
#include <structured/ops/log2.h>
#include <structured/ops/logit.h>
#include <structured/ops/polar.h>
#include <structured/ops/round.h>
#include <structured/ops/sgn.h>
#include <structured/ops/special_entr.h>
#include <structured/ops/special_xlog1py.h>

#include <cmath>
#include <limits>

#include "kernels/expect.h"

namespace structured::number_test {
namespace {

using namespace test;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

TEST(Gcd, IsOfMagnitudes) {
  const Tensor a = tensor<int64_t>({12, -12, 0, 0, kLeast});
  const Tensor b = tensor<int64_t>({18, 18, -5, 0, 6});
  EXPECT_EQ(to_vector<int64_t>(gcd(a, b)), std::vector<int64_t>({6, 6, 5, 0, 2}));
  EXPECT_EQ(to_vector<int8_t>(lcm(tensor<int8_t>({4, -4, 0}), tensor<int8_t>({6, 6, 3}))),
            std::vector<int8_t>({12, 12, 0}));
  expect_error([] { gcd(empty({1}), empty({1})); }, "gcd");
}

TEST(Shifts, KnowWhatIsLeftBeyondTheWidth) {
  const Tensor a = tensor<int32_t>({-5, -5, -5, 3});
  const Tensor b = tensor<int32_t>({1, 32, -1, 31});
  EXPECT_EQ(to_vector<int32_t>(bitwise_left_shift(a, b)),
            std::vector<int32_t>({-10, 0, 0, std::numeric_limits<int32_t>::min()}));
  EXPECT_EQ(to_vector<int32_t>(bitwise_right_shift(a, b)), std::vector<int32_t>({-3, -1, -1, 0}));
  EXPECT_EQ(to_vector<int32_t>(bitwise_left_shift(a, 1)), std::vector<int32_t>({-10, -10, -10, 6}));
}

TEST(FloorDivide, RoundsDown) {
  EXPECT_EQ(to_vector<int64_t>(floor_divide(tensor<int64_t>({-7, 7}), tensor<int64_t>({2, 2}))),
            std::vector<int64_t>({-4, 3}));
  expect_error([] { floor_divide(tensor<int64_t>({1}), tensor<int64_t>({0})); }, "division of an integer");
}

TEST(Logarithms, OfComplexNumbersWithoutAnEnd) {
  const Tensor zero_and_infinity = tensor<Complex<float>>({{0, 0}, {kInfinity, 1}, {8, 0}});
  EXPECT_EQ(to_vector<Complex<float>>(log2(zero_and_infinity)),
            (std::vector<Complex<float>>{{-kInfinity, 0}, {kInfinity, 0}, {3, 0}}));
}

TEST(Rounding, TakesAnyNumberOfDecimals) {
  EXPECT_EQ(round(scalar_tensor(3.0, kDouble), -1).item<double>(), 0);
  EXPECT_TRUE(std::isnan(round(scalar_tensor(3.0, kDouble), kLeast).item<double>()));  // 0 times infinity
}

TEST(Infinities, HaveSigns) {
  const Tensor a = tensor<float>({kInfinity, -kInfinity, kNan, 1});
  EXPECT_EQ(to_vector<bool>(isposinf(a)), std::vector<bool>({true, false, false, false}));
  EXPECT_EQ(to_vector<bool>(isneginf(a)), std::vector<bool>({false, true, false, false}));
  EXPECT_EQ(to_vector<bool>(isposinf(tensor<int64_t>({1}))), std::vector<bool>({false}));
}

TEST(Angles, OfRealAndComplexNumbers) {
  EXPECT_FLOAT_EQ(deg2rad(tensor<int64_t>({180})).item<float>(), 3.14159265f);
  const std::vector<float> angles = to_vector<float>(angle(tensor<float>({-2, 3, kNan})));
  EXPECT_FLOAT_EQ(angles[0], 3.14159265f);
  EXPECT_EQ(angles[1], 0);
  EXPECT_TRUE(std::isnan(angles[2]));
  const Tensor number = complex(tensor<double>({3}), tensor<double>({-4}));
  EXPECT_EQ(sgn(number).data_ptr<Complex<double>>()[0], Complex<double>(0.6, -0.8));
  EXPECT_EQ(to_vector<float>(sgn(tensor<float>({-2, 0}))), std::vector<float>({-1, 0}));
  const Tensor turned = polar(tensor<float>({2}), tensor<float>({0, 1}));
  EXPECT_EQ(turned.dtype(), kComplexFloat);
  EXPECT_FLOAT_EQ(turned.data_ptr<Complex<float>>()[1].imag(), 2 * std::sin(1.0f));
  expect_error([] { complex(empty({1}), empty({1}, kDouble)); }, "two tensors of one dtype");
  Tensor narrow = empty({1}, kComplexFloat);
  expect_error([&] { complex_out(narrow, empty({1}, kDouble), empty({1}, kDouble)); },
               "expected `out` of dtype ComplexDouble, got ComplexFloat");
}

TEST(Probabilities, HaveLimitsAtTheirEnds) {
  const std::vector<float> entropies = to_vector<float>(special_entr(tensor<float>({0, 1, -1, 0.5})));
  EXPECT_EQ(entropies[0], 0);
  EXPECT_EQ(entropies[2], -kInfinity);
  EXPECT_FLOAT_EQ(entropies[3], 0.5f * std::log(2.0f));
  EXPECT_EQ(special_xlog1py(tensor<float>({0}), tensor<float>({-1})).item<float>(), 0);
  EXPECT_TRUE(std::isnan(special_xlog1py(0, tensor<float>({kNan})).item<float>()));
  const std::vector<float> odds = to_vector<float>(logit(tensor<float>({0.5, 2, 1, 0})));
  EXPECT_EQ(odds[0], 0);
  EXPECT_TRUE(std::isnan(odds[1]));
  EXPECT_EQ(odds[2], kInfinity);
  EXPECT_EQ(odds[3], -kInfinity);
  EXPECT_FLOAT_EQ(logit(tensor<float>({2}), 0.25).item<float>(), std::log(3.0f));
  EXPECT_FLOAT_EQ(celu(tensor<float>({-2}), 2).item<float>(), 2 * (std::exp(-1.0f) - 1));
}

}  // namespace
}  // namespace structured::number_test
