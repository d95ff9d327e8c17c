#include <gtest/gtest.h>
#include <structured/number/bfloat16.h>
#include <structured/number/half.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace structured {
namespace {

// The value of a 16-bit pattern, from the definition of binary formats.
double value_of(uint16_t bits, int mantissa_bits, int bias) {
  const int exponent_bits = 15 - mantissa_bits;
  const int exponent = (bits & 0x7fff) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  double value;
  if (exponent == (1 << exponent_bits) - 1) {
    value = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
  } else {
    value = std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

struct HalfFormat {
  using Type = Half;
  static constexpr int mantissa_bits = 10, bias = 15;
};
struct BFloat16Format {
  using Type = BFloat16;
  static constexpr int mantissa_bits = 7, bias = 127;
};

template <class Format>
class SmallFloat : public testing::Test {};
using Formats = testing::Types<HalfFormat, BFloat16Format>;
TYPED_TEST_SUITE(SmallFloat, Formats);

TYPED_TEST(SmallFloat, WidensEveryPatternExactlyAndBack) {
  using T = typename TypeParam::Type;
  for (int bits = 0; bits <= 0xffff; ++bits) {
    const T number = T::from_bits(static_cast<uint16_t>(bits));
    const double expected = value_of(number.bits(), TypeParam::mantissa_bits, TypeParam::bias);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(float(number))) << bits;
      ASSERT_TRUE(std::isnan(float(T(float(number))))) << bits;
    } else {
      ASSERT_EQ(float(number), expected) << bits;
      ASSERT_EQ(T(float(number)).bits(), bits);
    }
  }
}

TYPED_TEST(SmallFloat, RoundsToNearestTiesToEven) {
  using T = typename TypeParam::Type;
  const int infinity = ((1 << (15 - TypeParam::mantissa_bits)) - 1) << TypeParam::mantissa_bits;
  for (int bits = 0; bits < infinity; ++bits) {
    const double low = value_of(static_cast<uint16_t>(bits), TypeParam::mantissa_bits, TypeParam::bias);
    // Values beyond the largest finite number round as if the next power of two were representable.
    const double high = bits + 1 == infinity
                            ? std::ldexp(1.0, TypeParam::bias + 1)
                            : value_of(static_cast<uint16_t>(bits + 1), TypeParam::mantissa_bits, TypeParam::bias);
    const float middle = static_cast<float>((low + high) / 2);
    if (middle != (low + high) / 2) continue;  // not representable in float: bfloat16's smallest subnormals
    const int even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(T(middle).bits(), even) << bits;
    ASSERT_EQ(T(std::nextafter(middle, 0.0f)).bits(), bits);
    ASSERT_EQ(T(std::nextafter(middle, INFINITY)).bits(), bits + 1);
    ASSERT_EQ(T(-middle).bits(), even | 0x8000);
  }
}

TYPED_TEST(SmallFloat, KeepsWhatIsNotFinite) {
  using T = typename TypeParam::Type;
  EXPECT_EQ(float(T(INFINITY)), INFINITY);
  EXPECT_EQ(float(T(-INFINITY)), -INFINITY);
  EXPECT_TRUE(std::isnan(float(T(NAN))));
  EXPECT_TRUE(std::isnan(float(T(-NAN))));
  EXPECT_TRUE(std::signbit(float(T(-0.0f))));
  EXPECT_EQ(float(T(std::numeric_limits<float>::max())), INFINITY);
}

TYPED_TEST(SmallFloat, HasLimits) {
  using T = typename TypeParam::Type;
  using Limits = std::numeric_limits<T>;
  static_assert(Limits::is_specialized && !Limits::is_integer);
  EXPECT_EQ(float(Limits::max()), std::ldexp(2.0 - std::ldexp(1.0, -TypeParam::mantissa_bits), TypeParam::bias));
  EXPECT_EQ(float(Limits::lowest()), -float(Limits::max()));
  EXPECT_EQ(float(Limits::min()), std::ldexp(1.0, 1 - TypeParam::bias));
  EXPECT_EQ(float(Limits::denorm_min()), std::ldexp(1.0, 1 - TypeParam::bias - TypeParam::mantissa_bits));
  EXPECT_EQ(float(Limits::epsilon()), std::ldexp(1.0, -TypeParam::mantissa_bits));
  EXPECT_EQ(Limits::digits, TypeParam::mantissa_bits + 1);
  EXPECT_EQ(float(Limits::infinity()), INFINITY);
  EXPECT_TRUE(std::isnan(float(Limits::quiet_NaN())));
}

TYPED_TEST(SmallFloat, ComputesInFloatAndStaysSmall) {
  using T = typename TypeParam::Type;
  const T a = 1.5f;
  const T b = 0.25f;
  static_assert(std::is_same_v<decltype(a + b), T>);
  static_assert(std::is_same_v<decltype(a * 2), T>);
  static_assert(std::is_same_v<decltype(a * 2.0f), float>);
  static_assert(std::is_same_v<decltype(2.0 / a), double>);
  EXPECT_EQ(float(a + b), 1.75f);
  EXPECT_EQ(float(a - b), 1.25f);
  EXPECT_EQ(float(a * b), 0.375f);
  EXPECT_EQ(float(a / b), 6.0f);
  EXPECT_EQ(float(-a), -1.5f);
  EXPECT_EQ(float(3 - a), 1.5f);
  EXPECT_EQ(a + 0.1f, 1.6f);
  EXPECT_EQ(0.1 + a, 1.6);
  T c = 1;
  c += 2;
  c *= b;
  c -= 0.25f;
  c /= 2;
  EXPECT_EQ(float(c), 0.25f);
  EXPECT_TRUE(b < a && a == T(1.5f) && a != b && a > 1);
}

TYPED_TEST(SmallFloat, RoundsAtEachStep) {
  using T = typename TypeParam::Type;
  const T one = 1;
  const T tiny = std::numeric_limits<T>::epsilon() / 4;
  EXPECT_EQ(float(one + tiny), 1.0f);
}

TYPED_TEST(SmallFloat, WorksAtCompileTime) {
  using T = typename TypeParam::Type;
  static_assert(float(T(1.5f) + T(2.0f)) == 3.5f);
  static_assert(sizeof(T) == 2 && std::is_trivially_copyable_v<T>);
}

}  // namespace
}  // namespace structured
