#include <gtest/gtest.h>
#include <structured/number/convert.h>
#include <structured/number/visit.h>

#include <cmath>
#include <limits>

namespace structured {
namespace {

TEST(Convert, KeepsSmallIntegersBetweenAllTypes) {
  const auto each = [](auto&& function) {
    for (const ScalarType type : kScalarTypes) {
      if (kAllTypes.contains(type) && type != kBool) visit<kAllTypes>("test", type, function);
    }
  };
  each([&]<class From>() {
    each([&]<class To>() { EXPECT_EQ(convert<To>(From(convert<From>(100))), convert<To>(100)); });
  });
}

TEST(Convert, CutsFractionsAndWraps) {
  EXPECT_EQ(convert<int32_t>(-2.75), -2);
  EXPECT_EQ(convert<int64_t>(Half(2.5f)), 2);
  EXPECT_EQ(convert<uint8_t>(int64_t{-1}), 255);
  EXPECT_EQ(convert<int8_t>(int32_t{200}), -56);
  EXPECT_EQ(convert<uint8_t>(-1.0f), 255);
  EXPECT_EQ(convert<uint8_t>(300.5), 44);
}

TEST(Convert, MakesBooleans) {
  EXPECT_TRUE(convert<bool>(0.5));
  EXPECT_TRUE(convert<bool>(uint8_t{2}));
  EXPECT_TRUE(convert<bool>(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(convert<bool>(-0.0));
  EXPECT_FALSE(convert<bool>(Half(0)));
  EXPECT_TRUE(convert<bool>(Complex<float>(1, 0)));
  EXPECT_TRUE(convert<bool>(Complex<float>(0, 1)));
  EXPECT_FALSE(convert<bool>(Complex<float>(0, -0.0f)));
  EXPECT_EQ(convert<float>(true), 1.0f);
  EXPECT_EQ(float(convert<BFloat16>(true)), 1.0f);
}

TEST(Convert, DropsImaginaryParts) {
  EXPECT_EQ(convert<double>(Complex<float>(1.5f, 2)), 1.5);
  EXPECT_EQ(convert<int32_t>(Complex<double>(7.9, 2)), 7);
}

TEST(Convert, MakesComplexNumbers) {
  EXPECT_EQ(convert<Complex<double>>(int64_t{3}), Complex<double>(3, 0));
  EXPECT_EQ(convert<Complex<float>>(Complex<double>(0.5, 2)), Complex<float>(0.5f, 2));
  EXPECT_EQ(convert<Complex<Half>>(Complex<float>(0.5f, 2)), Complex<Half>(Half(0.5f), Half(2)));
  EXPECT_EQ(convert<Complex<float>>(true), Complex<float>(1, 0));
}

TEST(Convert, RoundsToSmallFloats) {
  EXPECT_EQ(float(convert<Half>(1e10)), INFINITY);
  EXPECT_EQ(float(convert<BFloat16>(Half(1.5f))), 1.5f);
  EXPECT_EQ(float(convert<Half>(int64_t{2049})), 2048.0f);
}

}  // namespace
}  // namespace structured
