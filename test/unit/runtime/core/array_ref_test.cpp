#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/format/print.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

std::vector<int64_t> copy(IntArrayRef values) { return values.to<std::vector<int64_t>>(); }

using Vector = std::vector<int64_t>;

TEST(ArrayRef, IsMadeFromWhateverHoldsElements) {
  const Vector vector = {1, 2, 3};
  const std::array<int64_t, 3> array = {1, 2, 3};
  const int64_t plain[] = {1, 2, 3};
  EXPECT_EQ(copy(vector), vector);
  EXPECT_EQ(copy(array), vector);
  EXPECT_EQ(copy(plain), vector);
  EXPECT_EQ(copy({1, 2, 3}), vector);
  EXPECT_EQ(copy({plain, 3}), vector);
  EXPECT_EQ(copy(DimVector{1, 2, 3}), vector);
  EXPECT_EQ(IntArrayRef(vector).data(), vector.data());
}

TEST(ArrayRef, IsMadeFromOneElement) {
  EXPECT_EQ(copy(7), Vector{7});
  EXPECT_EQ(copy(0), Vector{0});
  const auto with_default = [](IntArrayRef padding = 0) { return copy(padding); };
  EXPECT_EQ(with_default(), Vector{0});
}

TEST(ArrayRef, IsEmptyByDefault) {
  EXPECT_EQ(copy({}), Vector{});
  EXPECT_TRUE(IntArrayRef().empty());
  EXPECT_EQ(IntArrayRef(Vector{}).size(), 0u);
}

TEST(ArrayRef, RefusesPackedBooleans) {
  static_assert(!std::is_constructible_v<ArrayRef<bool>, std::vector<bool>>);
  static_assert(std::is_constructible_v<ArrayRef<bool>, std::array<bool, 2>>);
  static_assert(!std::is_constructible_v<IntArrayRef, std::vector<int>>);
}

TEST(ArrayRef, ChecksAccess) {
  const Vector vector = {1, 2, 3};
  const IntArrayRef values = vector;
  EXPECT_EQ(values.at(2), 3);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 3);
  EXPECT_ERROR(values.at(3), "expected an index below 3, got 3");
  EXPECT_ERROR(IntArrayRef().front(), "expected an index below 0, got 0");
  EXPECT_ERROR(IntArrayRef().back(), "expected an index below 0, got 18446744073709551615");
}

TEST(ArrayRef, Slices) {
  const Vector vector = {1, 2, 3, 4};
  const IntArrayRef values = vector;
  EXPECT_EQ(copy(values.slice(1, 2)), (Vector{2, 3}));
  EXPECT_EQ(copy(values.slice(4, 0)), Vector{});
  EXPECT_EQ(copy(values.drop_front()), (Vector{2, 3, 4}));
  EXPECT_EQ(copy(values.drop_front(4)), Vector{});
  EXPECT_ERROR(values.slice(2, 3), "expected a slice within 4 elements, got 3 elements from 2");
  EXPECT_ERROR(values.slice(5, 0), "expected a slice within 4 elements, got 0 elements from 5");
  EXPECT_ERROR(values.drop_front(5), "expected to drop at most 4 elements, got 5");
}

TEST(ArrayRef, ComparesElements) {
  const Vector a = {1, 2};
  const Vector b = {1, 2};
  EXPECT_TRUE(IntArrayRef(a) == IntArrayRef(b));
  EXPECT_FALSE(IntArrayRef(a) == IntArrayRef({1, 3}));
  EXPECT_FALSE(IntArrayRef(a) == IntArrayRef(1));
}

TEST(ArrayRef, Prints) {
  EXPECT_EQ(to_string(IntArrayRef({2, -3})), "[2, -3]");
  EXPECT_EQ(to_string(IntArrayRef()), "[]");
  EXPECT_EQ(to_string(ArrayRef<double>({0.5, 1e20})), "[0.5, 1e+20]");
  EXPECT_EQ(to_string(ArrayRef<bool>({true, false})), "[true, false]");
}

std::string describe(OptionalIntArrayRef values) { return values ? to_string(*values) : "none"; }

TEST(OptionalIntArrayRef, IsMadeAsAListIsOrFromNothing) {
  EXPECT_EQ(describe({}), "none");
  EXPECT_EQ(describe(std::nullopt), "none");
  EXPECT_EQ(describe(1), "[1]");
  EXPECT_EQ(describe({1}), "[1]");
  EXPECT_EQ(describe({0, 1}), "[0, 1]");
  EXPECT_EQ(describe(Vector{4, 5}), "[4, 5]");
  EXPECT_EQ(describe(IntArrayRef()), "[]");
  EXPECT_EQ(describe(DimVector{3}), "[3]");
}

TEST(OptionalIntArrayRef, IsMadeFromStandardOptionals) {
  const std::optional<Vector> vector = Vector{1, 2};
  EXPECT_EQ(describe(vector), "[1, 2]");
  EXPECT_EQ(describe(std::optional<IntArrayRef>(*vector)), "[1, 2]");
  EXPECT_EQ(describe(std::optional<IntArrayRef>()), "none");
}

TEST(OptionalIntArrayRef, GivesItsValue) {
  const OptionalIntArrayRef none;
  EXPECT_FALSE(none.has_value());
  EXPECT_ERROR(none.value(), "expected a list, got none");
  EXPECT_EQ(copy(none.value_or(9)), Vector{9});
  const Vector vector = {1, 2};
  const OptionalIntArrayRef some = vector;
  EXPECT_EQ(copy(some.value()), vector);
  EXPECT_EQ(some->size(), 2u);
}

}  // namespace
}  // namespace structured
