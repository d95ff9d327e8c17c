// Tolerances by dtype are those of torch.testing.assert_close.
#include "compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/iterator/copy.h>

#include <limits>
#include <optional>
#include <string>

namespace structured::run {
namespace {

using testing::HasSubstr;

// The difference of [value] to [expected], rounded to a dtype. The other element is 0.
std::string difference_in(ScalarType dtype, double value, double expected, std::optional<double> tolerance = {}) {
  const auto rounded = [dtype](double number) {
    const Tensor result = empty({2}, dtype);
    copy_into(result, tensor<double>({number, 0}));
    return result;
  };
  return difference(rounded(value), rounded(expected), tolerance);
}

TEST(Difference, EachDtypeHasATolerance) {
  struct Case {
    ScalarType dtype;
    double accepted;  // as a part of 64
    double refused;
  };
  constexpr Case cases[] = {
      {kBFloat16, 1.5e-2, 2.2e-2}, {kHalf, 0.9e-3, 2e-3}, {kFloat, 1.2e-6, 1.7e-6}, {kDouble, 0.9e-7, 1.1e-7}};
  for (const auto& [dtype, accepted, refused] : cases) {
    EXPECT_EQ(difference_in(dtype, 64 + 64 * accepted, 64), "") << to_string(dtype);
    EXPECT_THAT(difference_in(dtype, 64 + 64 * refused, 64), HasSubstr("element 0 of 2 is")) << to_string(dtype);
    EXPECT_THAT(difference_in(dtype, 64 - 128 * refused, 64), HasSubstr("expected 64 within")) << to_string(dtype);
  }
}

TEST(Difference, SmallNumbersHaveAnAbsoluteTolerance) {
  for (const ScalarType dtype : {kBFloat16, kHalf, kFloat}) {
    EXPECT_EQ(difference_in(dtype, 0.9e-5, 0), "") << to_string(dtype);
    EXPECT_NE(difference_in(dtype, 1.2e-5, 0), "") << to_string(dtype);
  }
  EXPECT_EQ(difference_in(kDouble, 0.9e-7, 0), "");
  EXPECT_NE(difference_in(kDouble, 1.2e-7, 0), "");
}

TEST(Difference, ComplexNumbersHaveTheToleranceOfTheirParts) {
  EXPECT_EQ(difference(tensor<Complex<float>>({{1, 1.000001F}}), tensor<Complex<float>>({{1, 1}}), {}), "");
  EXPECT_NE(difference(tensor<Complex<float>>({{1, 1.0001F}}), tensor<Complex<float>>({{1, 1}}), {}), "");
  EXPECT_NE(difference(tensor<Complex<double>>({{1, 1.000001}}), tensor<Complex<double>>({{1, 1}}), {}), "");
}

TEST(Difference, AGivenToleranceIsRelativeToTheLargestElement) {
  EXPECT_EQ(difference(tensor<float>({100, 0.9F}), tensor<float>({100, 0}), 1e-2), "");
  EXPECT_EQ(difference(tensor<float>({100, 1.1F}), tensor<float>({100, 0}), 1e-2),
            "element 1 of 2 is 1.1, expected 0 within 1");
}

TEST(Difference, IntegersAreEqual) {
  EXPECT_EQ(difference(tensor<int64_t>({1, 2}), tensor<int64_t>({1, 3}), 1), "element 1 of 2 is 2, expected 3");
  EXPECT_EQ(difference(tensor<bool>({true}), tensor<bool>({true}), {}), "");
}

TEST(Difference, InfinitiesAndNanHavePositions) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(difference(tensor<float>({inf, nan}), tensor<float>({inf, nan}), {}), "");
  EXPECT_NE(difference(tensor<float>({inf}), tensor<float>({-inf}), {}), "");
  EXPECT_NE(difference(tensor<float>({nan}), tensor<float>({1}), {}), "");
  EXPECT_NE(difference(tensor<float>({1}), tensor<float>({inf}), {}), "");
}

TEST(Difference, DtypesAndSizesAreEqual) {
  EXPECT_EQ(difference(tensor<float>({1}), tensor<double>({1}), {}), "found Float[1], expected Double[1]");
  EXPECT_EQ(difference(tensor<float>({1}), tensor<float>({1, 2}), {}), "found Float[1], expected Float[2]");
}

}  // namespace
}  // namespace structured::run
