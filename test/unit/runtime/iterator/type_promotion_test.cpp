#include "structured/iterator/type_promotion.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "../../expect_error.h"
#include "structured/base/error.h"
#include "structured/core/factory.h"

namespace structured {
namespace {

using test::expect_error;

// Order within and between categories, independent of the implementation. Half and BFloat16 have one size.
enum Category { boolean, integral, floating, complex };
struct Rank {
  Category category;
  int width;
};
const std::map<ScalarType, Rank> ranks = {
    {kBool, {boolean, 0}},          {kByte, {integral, 1}},       {kChar, {integral, 1}},
    {kShort, {integral, 2}},        {kInt, {integral, 4}},        {kLong, {integral, 8}},
    {kHalf, {floating, 2}},         {kBFloat16, {floating, 2}},   {kFloat, {floating, 4}},
    {kDouble, {floating, 8}},       {kComplexHalf, {complex, 2}}, {kComplexFloat, {complex, 4}},
    {kComplexDouble, {complex, 8}},
};

ScalarType with_category(Category category, int width) {
  if (category == complex) return width == 8 ? kComplexDouble : width == 4 ? kComplexFloat : kComplexHalf;
  return width == 8 ? kDouble : kFloat;
}

// Promotion of two operands with the same priority.
ScalarType promoted(ScalarType a, ScalarType b) {
  if (a == b) return a;
  const Rank rank_a = ranks.at(a);
  const Rank rank_b = ranks.at(b);
  if (rank_a.category > rank_b.category) {
    if (rank_a.category == complex && rank_b.category == floating) {
      // No complex type has the width of BFloat16.
      const int width = std::max(rank_a.width, b == kBFloat16 ? 4 : rank_b.width);
      return with_category(complex, width);
    }
    return a;
  }
  if (rank_b.category > rank_a.category) return promoted(b, a);
  if (rank_a.width != rank_b.width) return rank_a.width > rank_b.width ? a : b;
  return rank_a.category == integral ? kShort : kFloat;  // Byte with Char, Half with BFloat16
}

Tensor with_dimensions(ScalarType type) { return empty({2}, TensorOptions(type)); }
Tensor without_dimensions(ScalarType type) { return empty({}, TensorOptions(type)); }

TEST(TypePromotion, PromotesWithinARankAsPairsDo) {
  for (const auto& [a, rank_a] : ranks) {
    for (const auto& [b, rank_b] : ranks) {
      EXPECT_EQ(result_type(with_dimensions(a), with_dimensions(b)), promoted(a, b)) << a << " with " << b;
      EXPECT_EQ(result_type(without_dimensions(a), without_dimensions(b)), promoted(a, b)) << a << " with " << b;
    }
  }
}

TEST(TypePromotion, LowerRankCountsOnlyWithAHigherCategory) {
  for (const auto& [high, high_rank] : ranks) {
    for (const auto& [low, low_rank] : ranks) {
      ScalarType expected = high;
      if (low_rank.category > high_rank.category) {
        // A complex zero-dimensional tensor makes a floating one complex and keeps its width.
        expected =
            high_rank.category == floating ? with_category(complex, high == kBFloat16 ? 4 : high_rank.width) : low;
      }
      EXPECT_EQ(result_type(with_dimensions(high), without_dimensions(low)), expected) << high << " with 0-d " << low;
      EXPECT_EQ(result_type(without_dimensions(low), with_dimensions(high)), expected) << high << " with 0-d " << low;
    }
  }
}

TEST(TypePromotion, NumbersHaveACategoryAndNoWidth) {
  EXPECT_EQ(result_type(with_dimensions(kHalf), Scalar(2.5)), kHalf);
  EXPECT_EQ(result_type(with_dimensions(kByte), Scalar(100000)), kByte);
  EXPECT_EQ(result_type(with_dimensions(kInt), Scalar(2.5)), kFloat);
  EXPECT_EQ(result_type(with_dimensions(kBool), Scalar(1)), kLong);
  EXPECT_EQ(result_type(with_dimensions(kBool), Scalar(true)), kBool);
  EXPECT_EQ(result_type(with_dimensions(kDouble), Scalar(Complex<double>(0, 1))), kComplexDouble);
  EXPECT_EQ(result_type(with_dimensions(kLong), Scalar(Complex<double>(0, 1))), kComplexFloat);
  // A zero-dimensional tensor has a higher priority than a number.
  EXPECT_EQ(result_type(without_dimensions(kHalf), Scalar(2.5)), kHalf);
  EXPECT_EQ(result_type(without_dimensions(kShort), Scalar(7)), kShort);
}

TEST(TypePromotion, WrappedNumbersCountAsNumbers) {
  EXPECT_EQ(result_type(with_dimensions(kHalf), wrapped_scalar_tensor(2.5)), kHalf);
  EXPECT_EQ(result_type(with_dimensions(kInt), wrapped_scalar_tensor(2.5)), kFloat);
  EXPECT_EQ(result_type(without_dimensions(kInt), wrapped_scalar_tensor(2.5)), kFloat);
  EXPECT_EQ(result_type(wrapped_scalar_tensor(1), wrapped_scalar_tensor(2.5)), kFloat);
  EXPECT_EQ(result_type(wrapped_scalar_tensor(1), wrapped_scalar_tensor(true)), kLong);
}

TEST(TypePromotion, NumbersFollowTheDefaultDtype) {
  set_default_dtype(kDouble);
  const ScalarType real = result_type(with_dimensions(kInt), Scalar(2.5));
  const ScalarType imaginary = result_type(with_dimensions(kInt), Scalar(Complex<double>(0, 1)));
  set_default_dtype(kFloat);
  EXPECT_EQ(real, kDouble);
  EXPECT_EQ(imaginary, kComplexDouble);
}

TEST(TypePromotion, TakesAllRanksTogether) {
  // Bool with dimensions promotes to the zero-dimensional integer, and that to the floating number.
  TypePromotion promotion;
  promotion.add(with_dimensions(kBool));
  promotion.add(without_dimensions(kInt));
  EXPECT_EQ(promotion.result(), kInt);
  promotion.add(Scalar(1.5));
  EXPECT_EQ(promotion.result(), kFloat);
}

TEST(TypePromotion, ListsLeaveOutUndefinedTensors) {
  const std::vector<Tensor> tensors = {Tensor(), with_dimensions(kInt), with_dimensions(kHalf)};
  EXPECT_EQ(result_type(tensors), kHalf);
  expect_error([&] { result_type(TensorList()); }, "expected at least one defined tensor for the result dtype, got 0");
  expect_error([&] { result_type(std::vector<Tensor>{Tensor()}); }, "for the result dtype, got 1 undefined tensors");
}

}  // namespace
}  // namespace structured
