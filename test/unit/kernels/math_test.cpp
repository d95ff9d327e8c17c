// Accuracy of elementary functions as stated in kernels/math/exponential.h, for every instruction set.
#include <structured/base/error.h>
#include <structured/device/simd_level.h>
#include <structured/ops/exp.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/expect.h"
#include "math/exponential.h"
#include "math/gelu.h"

namespace structured::math_test {
namespace {

namespace math = kernels::math;
using namespace test;

// Returns the error in units in the last place of `expected`, a normal number.
template <class T>
long double ulps(T actual, long double expected) {
  const T rounded = static_cast<T>(expected);
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) == std::isnan(actual) ? 0 : 1e9L;
  if (std::isinf(rounded) || std::isinf(actual)) return rounded == actual ? 0 : 1e9L;
  const long double unit = std::fabs(static_cast<long double>(std::nextafter(std::fabs(rounded), T(INFINITY))) -
                                     static_cast<long double>(std::fabs(rounded)));
  return std::fabs(static_cast<long double>(actual) - expected) / unit;
}

// Returns the largest error over numbers in [low, high], spaced evenly and by magnitude.
template <class T>
long double worst(T (*function)(T), long double (*reference)(long double), T low, T high) {
  long double worst = 0;
  const auto look = [&](T x) {
    if (x < low || x > high) return;
    const long double expected = reference(x);
    if (std::fabs(expected) < std::numeric_limits<T>::min() && expected != 0) return;
    worst = std::max(worst, ulps<T>(function(x), expected));
  };
  for (int i = 0; i <= 100000; ++i) look(low + (high - low) * T(i) / T(100000));
  for (int exponent = -30; exponent < 40; ++exponent) {
    for (int i = 0; i < 200; ++i) {
      const T x = std::ldexp(T(1) + T(i) / T(200), exponent);
      look(x);
      look(-x);
    }
  }
  return worst;
}

template <class T>
class Elementary : public testing::Test {};
using Floating = testing::Types<float, double>;
TYPED_TEST_SUITE(Elementary, Floating);

TYPED_TEST(Elementary, FunctionsKeepTheirBounds) {
  using T = TypeParam;
  const T edge = std::is_same_v<T, float> ? T(87) : T(708);
  EXPECT_LE((worst<T>(math::exp<T>, [](long double x) { return std::exp(x); }, -edge, edge)), 1);
  // Below this range, exp is subnormal and exp_of_nonpositive returns 0.
  EXPECT_LE((worst<T>(
                math::exp_of_nonpositive<T>, [](long double x) { return std::exp(x); },
                std::is_same_v<T, float> ? T(-87) : T(-708), 0)),
            1);
  EXPECT_LE((worst<T>(math::one_plus_exp<T>, [](long double x) { return 1 + std::exp(x); }, -edge, edge)), 2);
  EXPECT_LE((worst<T>(math::one_plus_exp<T>, [](long double x) { return 1 + std::exp(x); }, edge, edge + T(1.7))), 2);
  EXPECT_LE((worst<T>(math::expm1<T>, [](long double x) { return std::expm1(x); }, -edge, edge)), 2);
  EXPECT_LE((worst<T>(math::log<T>, [](long double x) { return std::log(x); }, 0, std::numeric_limits<T>::max())), 1);
  EXPECT_LE((worst<T>(math::log<T>, [](long double x) { return std::log(x); }, T(0.5), T(2))), 1);
  EXPECT_LE((worst<T>(math::tanh<T>, [](long double x) { return std::tanh(x); }, -30, 30)), 3);
  EXPECT_LE((worst<T>(math::sigmoid<T>, [](long double x) { return 1 / (1 + std::exp(-x)); }, -edge, edge)), 3);
  EXPECT_LE((worst<T>(math::erf<T>, [](long double x) { return std::erf(x); }, -6, 6)), 3);
}

TEST(Gelu, KeepsItsBoundsWhereOneAndErfWouldCancel) {
  const auto exact = [](long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; };
  EXPECT_LE((worst<float>(math::gelu<float>, exact, -1, 100)), 4);
  EXPECT_LE((worst<float>(math::gelu<float>, exact, -13, -1)), 6);
  EXPECT_EQ(math::gelu(-14.0f), 0);
  EXPECT_EQ(math::gelu(-INFINITY), 0);
  EXPECT_EQ(math::gelu(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(math::gelu(NAN)));
  EXPECT_TRUE(std::isnan(math::gelu(-NAN)));
}

TYPED_TEST(Elementary, FunctionsKnowTheLimits) {
  using T = TypeParam;
  const T infinity = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(math::exp(infinity), infinity);
  EXPECT_EQ(math::exp(-infinity), 0);
  EXPECT_EQ(math::exp(T(0)), 1);
  EXPECT_EQ(math::exp(T(-10000)), 0);
  EXPECT_EQ(math::exp(T(10000)), infinity);
  const T tiny = std::log(std::numeric_limits<T>::min()) - 5;
  EXPECT_LE(std::fabs(math::exp(tiny) - std::exp(tiny)), std::numeric_limits<T>::denorm_min());
  EXPECT_EQ(math::exp_of_nonpositive(-infinity), 0);
  EXPECT_EQ(math::exp_of_nonpositive(T(0)), 1);
  EXPECT_EQ(math::exp_of_nonpositive(T(-750)), 0);
  EXPECT_EQ(math::one_plus_exp(infinity), infinity);
  EXPECT_EQ(math::one_plus_exp(-infinity), 1);
  EXPECT_EQ(math::expm1(-infinity), -1);
  EXPECT_EQ(math::expm1(infinity), infinity);
  EXPECT_EQ(math::log(infinity), infinity);
  EXPECT_EQ(math::log(T(0)), -infinity);
  EXPECT_EQ(math::log(T(1)), 0);
  EXPECT_TRUE(std::isnan(math::log(T(-1))));
  EXPECT_NEAR(math::log(std::numeric_limits<T>::denorm_min()), std::log(std::numeric_limits<T>::denorm_min()), 1e-4);
  EXPECT_EQ(math::tanh(infinity), 1);
  EXPECT_EQ(math::tanh(-infinity), -1);
  EXPECT_TRUE(std::signbit(math::tanh(-T(0))));
  EXPECT_EQ(math::sigmoid(infinity), 1);
  EXPECT_EQ(math::sigmoid(-infinity), 0);
  EXPECT_EQ(math::erf(infinity), 1);
  EXPECT_EQ(math::erf(-infinity), -1);
  for (const auto function : {math::exp<T>, math::exp_of_nonpositive<T>, math::one_plus_exp<T>, math::expm1<T>,
                              math::log<T>, math::tanh<T>, math::sigmoid<T>, math::erf<T>}) {
    EXPECT_TRUE(std::isnan(function(nan)));
    EXPECT_TRUE(std::isnan(function(-nan)));
  }
}

// Restores the SIMD level.
class LevelScope {
 public:
  explicit LevelScope(SimdLevel level) : before_(simd_level()) { set_simd_level(level); }
  ~LevelScope() { set_simd_level(before_); }

 private:
  SimdLevel before_;
};

TEST(SimdLevel, ChangesNoBitOfAResult) {
  std::vector<Tensor> results;
  const Tensor input = filled<float>({1003}, [](int64_t i) { return static_cast<float>(i - 500) * 0.173f; });
  for (int level = 0; level <= static_cast<int>(best_simd_level()); ++level) {
    const LevelScope scope(static_cast<SimdLevel>(level));
    EXPECT_EQ(simd_level(), static_cast<SimdLevel>(level));
    results.push_back(exp(input));
  }
  for (const Tensor& result : results) {
    EXPECT_EQ(std::memcmp(result.data(), results[0].data(), 1003 * sizeof(float)), 0);
  }
}

TEST(SimdLevel, BeyondTheMachineIsRefused) {
  for (int level = static_cast<int>(best_simd_level()) + 1; level < kSimdLevels; ++level) {
    expect_error([&] { set_simd_level(static_cast<SimdLevel>(level)); }, "this machine has no avx");
  }
}

}  // namespace
}  // namespace structured::math_test
