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

namespace structured {
namespace {

using namespace test;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Gcd, IsOfMagnitudes) {
  const Tensor a = detail::tensor<int64_t>({12, -12, 0, 0, kLeast});
  const Tensor b = detail::tensor<int64_t>({18, 18, -5, 0, 6});
  EXPECT_EQ(detail::to_vector<int64_t>(gcd(a, b)), std::vector<int64_t>({6, 6, 5, 0, 2}));
  EXPECT_EQ(detail::to_vector<int8_t>(lcm(detail::tensor<int8_t>({4, -4, 0}), detail::tensor<int8_t>({6, 6, 3}))),
            std::vector<int8_t>({12, 12, 0}));
  expect_error([] { gcd(detail::empty({1}), detail::empty({1})); }, "gcd");
}

TEST(Shifts, KnowWhatIsLeftBeyondTheWidth) {
  const Tensor a = detail::tensor<int32_t>({-5, -5, -5, 3});
  const Tensor b = detail::tensor<int32_t>({1, 32, -1, 31});
  EXPECT_EQ(detail::to_vector<int32_t>(bitwise_left_shift(a, b)),
            std::vector<int32_t>({-10, 0, 0, std::numeric_limits<int32_t>::min()}));
  EXPECT_EQ(detail::to_vector<int32_t>(bitwise_right_shift(a, b)), std::vector<int32_t>({-3, -1, -1, 0}));
  EXPECT_EQ(detail::to_vector<int32_t>(bitwise_left_shift(a, 1)), std::vector<int32_t>({-10, -10, -10, 6}));
}

TEST(FloorDivide, RoundsDown) {
  EXPECT_EQ(detail::to_vector<int64_t>(floor_divide(detail::tensor<int64_t>({-7, 7}), detail::tensor<int64_t>({2, 2}))),
            std::vector<int64_t>({-4, 3}));
  expect_error([] { floor_divide(detail::tensor<int64_t>({1}), detail::tensor<int64_t>({0})); },
               "division of an integer");
}

TEST(Logarithms, OfComplexNumbersWithoutAnEnd) {
  const Tensor zero_and_infinity = detail::tensor<Complex<float>>({{0, 0}, {kInf, 1}, {8, 0}});
  EXPECT_EQ(detail::to_vector<Complex<float>>(log2(zero_and_infinity)),
            (std::vector<Complex<float>>{{-kInf, 0}, {kInf, 0}, {3, 0}}));
}

TEST(Rounding, TakesAnyNumberOfDecimals) {
  EXPECT_EQ(round(detail::scalar_tensor(3.0), -1).item<double>(), 0);
  EXPECT_TRUE(std::isnan(round(detail::scalar_tensor(3.0), kLeast).item<double>()));  // 0 times infinity
}

TEST(Infinities, HaveSigns) {
  const Tensor a = detail::tensor<float>({kInf, -kInf, kNan, 1});
  EXPECT_EQ(detail::to_vector<bool>(isposinf(a)), std::vector<bool>({true, false, false, false}));
  EXPECT_EQ(detail::to_vector<bool>(isneginf(a)), std::vector<bool>({false, true, false, false}));
  EXPECT_EQ(detail::to_vector<bool>(isposinf(detail::tensor<int64_t>({1}))), std::vector<bool>({false}));
}

TEST(Angles, OfRealAndComplexNumbers) {
  EXPECT_FLOAT_EQ(deg2rad(detail::tensor<int64_t>({180})).item<float>(), 3.14159265f);
  const std::vector<float> angles = detail::to_vector<float>(angle(detail::tensor<float>({-2, 3, kNan})));
  EXPECT_FLOAT_EQ(angles[0], 3.14159265f);
  EXPECT_EQ(angles[1], 0);
  EXPECT_TRUE(std::isnan(angles[2]));
  const Tensor number = complex(detail::tensor<double>({3}), detail::tensor<double>({-4}));
  EXPECT_EQ(sgn(number).data_ptr<Complex<double>>()[0], Complex<double>(0.6, -0.8));
  EXPECT_EQ(detail::to_vector<float>(sgn(detail::tensor<float>({-2, 0}))), std::vector<float>({-1, 0}));
  const Tensor turned = polar(detail::tensor<float>({2}), detail::tensor<float>({0, 1}));
  EXPECT_EQ(turned.dtype(), kComplexFloat);
  EXPECT_FLOAT_EQ(turned.data_ptr<Complex<float>>()[1].imag(), 2 * std::sin(1.0f));
  expect_error([] { complex(detail::empty({1}), detail::empty({1}, kDouble)); }, "two tensors of one dtype");
  Tensor narrow = detail::empty({1}, kComplexFloat);
  expect_error([&] { complex_out(narrow, detail::empty({1}, kDouble), detail::empty({1}, kDouble)); },
               "expected `out` of dtype ComplexDouble, got ComplexFloat");
}

TEST(Probabilities, HaveLimitsAtTheirEnds) {
  const std::vector<float> entropies = detail::to_vector<float>(special_entr(detail::tensor<float>({0, 1, -1, 0.5})));
  EXPECT_EQ(entropies[0], 0);
  EXPECT_EQ(entropies[2], -kInf);
  EXPECT_FLOAT_EQ(entropies[3], 0.5f * std::log(2.0f));
  EXPECT_EQ(special_xlog1py(detail::tensor<float>({0}), detail::tensor<float>({-1})).item<float>(), 0);
  EXPECT_TRUE(std::isnan(special_xlog1py(0, detail::tensor<float>({kNan})).item<float>()));
  const std::vector<float> odds = detail::to_vector<float>(logit(detail::tensor<float>({0.5, 2, 1, 0})));
  EXPECT_EQ(odds[0], 0);
  EXPECT_TRUE(std::isnan(odds[1]));
  EXPECT_EQ(odds[2], kInf);
  EXPECT_EQ(odds[3], -kInf);
  EXPECT_FLOAT_EQ(logit(detail::tensor<float>({2}), 0.25).item<float>(), std::log(3.0f));
  EXPECT_FLOAT_EQ(celu(detail::tensor<float>({-2}), 2).item<float>(), 2 * (std::exp(-1.0f) - 1));
}

}  // namespace
}  // namespace structured
