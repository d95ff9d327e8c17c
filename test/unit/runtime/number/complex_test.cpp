#include <gtest/gtest.h>
#include <structured/format/print.h>
#include <structured/number/complex.h>
#include <structured/number/half.h>

#include <complex>
#include <limits>
#include <type_traits>

namespace structured {
namespace {

TEST(Complex, ComputesAsStdComplexDoes) {
  const std::complex<double> values[] = {{1, 2}, {-3, 0.5}, {0, -4}, {7, 0}, {0.125, -0.25}};
  for (const auto& a : values) {
    for (const auto& b : values) {
      const Complex<double> x = a;
      const Complex<double> y = b;
      EXPECT_EQ(x + y, Complex<double>(a + b));
      EXPECT_EQ(x - y, Complex<double>(a - b));
      EXPECT_EQ(x * y, Complex<double>(a * b));
      const Complex<double> quotient = x / y;
      EXPECT_NEAR(quotient.real(), (a / b).real(), 1e-14);
      EXPECT_NEAR(quotient.imag(), (a / b).imag(), 1e-14);
    }
  }
}

TEST(Complex, DividesWithoutOverflow) {
  const double huge = 1e300;
  const Complex<double> one = Complex<double>(huge, huge) / Complex<double>(huge, huge);
  EXPECT_DOUBLE_EQ(one.real(), 1);
  EXPECT_DOUBLE_EQ(one.imag(), 0);
  const Complex<double> turned = Complex<double>(huge, 0) / Complex<double>(huge / 2, huge);
  EXPECT_DOUBLE_EQ(turned.real(), 0.4);
  EXPECT_DOUBLE_EQ(turned.imag(), -0.8);
}

TEST(Complex, DividesByZeroAsNumbersDo) {
  const Complex<double> quotient = Complex<double>(1, -1) / Complex<double>(0, 0);
  EXPECT_EQ(quotient.real(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(quotient.imag(), -std::numeric_limits<double>::infinity());
}

TEST(Complex, AssignsInPlace) {
  Complex<float> z(1, 2);
  z += Complex<float>(1, 1);
  z *= Complex<float>(0, 1);
  z -= 1.0f;
  z /= 2.0f;
  EXPECT_EQ(z, Complex<float>(-2, 1));
  EXPECT_EQ(-z, Complex<float>(2, -1));
  EXPECT_EQ(+z, z);
}

TEST(Complex, ConvertsBetweenWidths) {
  const Complex<double> wide = Complex<float>(1, 2);
  EXPECT_EQ(wide, Complex<double>(1, 2));
  EXPECT_EQ(Complex<float>(wide), Complex<float>(1, 2));
  EXPECT_EQ(Complex<Half>(Complex<double>(1, 2)).imag(), Half(2));
  static_assert(!std::is_convertible_v<Complex<double>, Complex<float>>);
  static_assert(!std::is_convertible_v<std::complex<double>, Complex<float>>);
}

TEST(Complex, Prints) {
  EXPECT_EQ(to_string(Complex<double>(1, 2.5)), "1+2.5i");
  EXPECT_EQ(to_string(Complex<double>(1, -0.0)), "1-0i");
}

}  // namespace
}  // namespace structured
