#include <structured/format/print.h>
#include <structured/number/scalar.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

constexpr int64_t kLeastLong = std::numeric_limits<int64_t>::min();
constexpr int64_t kGreatestLong = std::numeric_limits<int64_t>::max();

TEST(Scalar, KnowsItsType) {
  EXPECT_EQ(Scalar().type(), kLong);
  EXPECT_EQ(Scalar(1).type(), kLong);
  EXPECT_EQ(Scalar(uint8_t{1}).type(), kLong);
  EXPECT_EQ(Scalar(1.0f).type(), kDouble);
  EXPECT_EQ(Scalar(Half(1)).type(), kDouble);
  EXPECT_EQ(Scalar(BFloat16(1)).type(), kDouble);
  EXPECT_EQ(Scalar(true).type(), kBool);
  EXPECT_EQ(Scalar(Complex<float>(1, 2)).type(), kComplexDouble);
  EXPECT_EQ(Scalar(std::complex<float>(1, 2)).type(), kComplexDouble);
  EXPECT_TRUE(Scalar(true).is_boolean() && Scalar(true).is_integral(true) && !Scalar(true).is_integral(false));
  EXPECT_TRUE(Scalar(1).is_integral(false) && !Scalar(1).is_floating());
  EXPECT_TRUE(Scalar(1.5).is_floating() && !Scalar(1.5).is_complex());
  EXPECT_TRUE(Scalar(Complex<double>(1, 2)).is_complex());
}

TEST(Scalar, GivesItsValueAsAnyTypeThatHoldsIt) {
  EXPECT_EQ(Scalar(3).to<double>(), 3.0);
  EXPECT_EQ(Scalar(3).to<uint8_t>(), 3);
  EXPECT_EQ(float(Scalar(3).to<Half>()), 3.0f);
  EXPECT_EQ(Scalar(2.75).to<int32_t>(), 2);
  EXPECT_EQ(Scalar(-2.75).to<int64_t>(), -2);
  EXPECT_EQ(Scalar(true).to<float>(), 1.0f);
  EXPECT_EQ(Scalar(2).to<bool>(), true);
  EXPECT_EQ(Scalar(0.0).to<bool>(), false);
  EXPECT_EQ(Scalar(1.5).to<Complex<float>>(), Complex<float>(1.5f, 0));
  EXPECT_EQ(Scalar(Complex<double>(1.5, 0)).to<double>(), 1.5);
  EXPECT_EQ(Scalar(std::complex<double>(1, 2)).to<Complex<Half>>().imag(), Half(2));
  EXPECT_EQ(Scalar(kLeastLong).to<int64_t>(), kLeastLong);
}

TEST(Scalar, RefusesWhatDoesNotFit) {
  EXPECT_ERROR(Scalar(256).to<uint8_t>(), "expected a number that fits Byte, got 256");
  EXPECT_ERROR(Scalar(-129).to<int8_t>(), "expected a number that fits Char, got -129");
  EXPECT_ERROR(Scalar(128.0).to<int8_t>(), "expected a number that fits Char, got 128");
  EXPECT_ERROR(Scalar(-128.5).to<int8_t>(), "expected a number that fits Char, got -128.5");
  EXPECT_ERROR(Scalar(1e300).to<float>(), "expected a number that fits Float, got 1e+300");
  EXPECT_ERROR(Scalar(70000).to<Half>(), "expected a number that fits Half, got 70000");
  EXPECT_ERROR(Scalar(std::nan("")).to<int64_t>(), "expected a number that fits Long, got nan");
  EXPECT_ERROR(Scalar(INFINITY).to<int32_t>(), "expected a number that fits Int, got inf");
  EXPECT_ERROR(Scalar(0x1p63).to<int64_t>(), "expected a number that fits Long, got 9.22337e+18");
  EXPECT_ERROR(Scalar(Complex<double>(1, 2)).to<double>(), "expected a number that fits Double, got 1+2i");
  EXPECT_ERROR(Scalar(Complex<double>(1, 1e300)).to<Complex<float>>(),
               "expected a number that fits ComplexFloat, got 1+1e+300i");
  EXPECT_ERROR(Scalar(~uint64_t{0}), "expected an integer that fits int64_t, got 18446744073709551615");
}

TEST(Scalar, AcceptsTheEdges) {
  EXPECT_EQ(Scalar(-0x1p63).to<int64_t>(), kLeastLong);
  EXPECT_EQ(Scalar(255.0).to<uint8_t>(), 255);
  EXPECT_EQ(Scalar(255.9).to<uint8_t>(), 255);
  EXPECT_EQ(Scalar(127.9).to<int8_t>(), 127);
  EXPECT_EQ(Scalar(-32768).to<int16_t>(), -32768);
  EXPECT_EQ(float(Scalar(65504).to<Half>()), 65504.0f);
  EXPECT_EQ(Scalar(INFINITY).to<float>(), INFINITY);
  EXPECT_TRUE(std::isnan(float(Scalar(std::nan("")).to<BFloat16>())));
  EXPECT_EQ(Scalar(kGreatestLong).to<int64_t>(), kGreatestLong);
}

TEST(Scalar, WrapsNegativeIntegersIntoByte) {
  EXPECT_EQ(Scalar(-1).to<uint8_t>(), 255);
  EXPECT_EQ(Scalar(-255).to<uint8_t>(), 1);
  EXPECT_ERROR(Scalar(-256).to<uint8_t>(), "expected a number that fits Byte, got -256");
  EXPECT_ERROR(Scalar(-1.0).to<uint8_t>(), "expected a number that fits Byte, got -1");
  EXPECT_ERROR(Scalar(kLeastLong).to<uint8_t>(), "expected a number that fits Byte, got -9223372036854775808");
}

TEST(Scalar, Negates) {
  EXPECT_EQ(-Scalar(3), Scalar(-3));
  EXPECT_EQ(-Scalar(2.5), Scalar(-2.5));
  EXPECT_EQ(-Scalar(Complex<double>(1, 2)), Scalar(Complex<double>(-1, -2)));
  EXPECT_EQ((-Scalar(kLeastLong)).to<int64_t>(), kLeastLong);
  EXPECT_ERROR(-Scalar(true), "negative: expected a number, got the boolean true");
}

TEST(Scalar, Conjugates) {
  EXPECT_EQ(Scalar(Complex<double>(1, 2)).conj(), Scalar(Complex<double>(1, -2)));
  EXPECT_EQ(Scalar(3).conj(), Scalar(3));
}

TEST(Scalar, ComparesAsNumbers) {
  EXPECT_EQ(Scalar(1), Scalar(1.0));
  EXPECT_EQ(Scalar(1), Scalar(true));
  EXPECT_EQ(Scalar(2.0), Scalar(Complex<double>(2, 0)));
  EXPECT_FALSE(Scalar(2) == Scalar(2.5));
  EXPECT_FALSE(Scalar(kGreatestLong) == Scalar(kGreatestLong - 1));
  EXPECT_FALSE(Scalar(std::nan("")) == Scalar(std::nan("")));
}

TEST(Scalar, Prints) {
  EXPECT_EQ(to_string(Scalar(-7)), "-7");
  EXPECT_EQ(to_string(Scalar(2.5)), "2.5");
  EXPECT_EQ(to_string(Scalar(false)), "false");
  EXPECT_EQ(to_string(Scalar(Complex<double>(1, -2))), "1-2i");
}

TEST(Scalar, IsStoredAndLoadedAsEveryType) {
  for (const ScalarType type : kScalarTypes) {
    if (!kAllTypes.contains(type)) continue;
    unsigned char memory[17] = {};
    store_scalar(memory + 1, type, 1);  // not aligned
    EXPECT_EQ(load_scalar(memory + 1, type), Scalar(1)) << type;
    EXPECT_EQ(memory[0], 0);
  }
}

TEST(Scalar, IsStoredOnlyIfItFits) {
  uint8_t byte = 7;
  EXPECT_ERROR(store_scalar(&byte, kByte, 300), "expected a number that fits Byte, got 300");
  EXPECT_EQ(byte, 7);
  EXPECT_ERROR(load_scalar(&byte, kQInt8),
               "load: expected dtype to be one of Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, "
               "ComplexFloat, ComplexDouble, Bool, BFloat16, got QInt8");
}

}  // namespace
}  // namespace structured
