#include <structured/format/print.h>
#include <structured/number/scalar_type.h>

#include <bitset>
#include <string>
#include <vector>

#include "throws_error.h"

namespace structured {
namespace {

std::vector<ScalarType> types_in(ScalarTypeSet set) {
  std::vector<ScalarType> types;
  for (const ScalarType type : kScalarTypes) {
    if (set.contains(type)) types.push_back(type);
  }
  return types;
}

// Promotion as a lattice: edges lead from each type to the next larger ones. The common type of two types is the least
// one reachable from both. The table does not use categories and sizes.
struct Edge {
  ScalarType from, to;
};
constexpr Edge kLattice[] = {
    {kBool, kByte},
    {kBool, kChar},
    {kByte, kShort},
    {kChar, kShort},
    {kShort, kInt},
    {kInt, kLong},
    {kLong, kHalf},
    {kLong, kBFloat16},
    {kHalf, kFloat},
    {kBFloat16, kFloat},
    {kFloat, kDouble},
    {kHalf, kComplexHalf},
    {kFloat, kComplexFloat},
    {kDouble, kComplexDouble},
    {kComplexHalf, kComplexFloat},
    {kComplexFloat, kComplexDouble},
};

bool leads_to(ScalarType from, ScalarType to) {
  if (from == to) return true;
  for (const Edge& edge : kLattice) {
    if (edge.from == from && leads_to(edge.to, to)) return true;
  }
  return false;
}

ScalarType least_upper_bound(ScalarType a, ScalarType b) {
  for (const ScalarType candidate : types_in(kAllTypes)) {
    if (!leads_to(a, candidate) || !leads_to(b, candidate)) continue;
    bool is_least = true;
    for (const ScalarType other : types_in(kAllTypes)) {
      if (leads_to(a, other) && leads_to(b, other)) is_least = is_least && leads_to(candidate, other);
    }
    if (is_least) return candidate;
  }
  return ScalarType::Undefined;
}

TEST(PromoteTypes, IsTheLeastTypeThatBothLeadTo) {
  for (const ScalarType a : types_in(kAllTypes)) {
    for (const ScalarType b : types_in(kAllTypes)) {
      EXPECT_EQ(promote_types(a, b), least_upper_bound(a, b)) << a << " and " << b;
    }
  }
}

TEST(PromoteTypes, KnowsTheSurprisingPairs) {
  EXPECT_EQ(promote_types(kByte, kChar), kShort);
  EXPECT_EQ(promote_types(kHalf, kBFloat16), kFloat);
  EXPECT_EQ(promote_types(kLong, kHalf), kHalf);
  EXPECT_EQ(promote_types(kBFloat16, kComplexHalf), kComplexFloat);
  EXPECT_EQ(promote_types(kDouble, kComplexFloat), kComplexDouble);
  EXPECT_EQ(promote_types(kLong, kComplexHalf), kComplexHalf);
}

TEST(PromoteTypes, LeavesUndefinedAndQuantizedApart) {
  EXPECT_EQ(promote_types(ScalarType::Undefined, kFloat), ScalarType::Undefined);
  EXPECT_EQ(promote_types(kQInt8, ScalarType::Undefined), ScalarType::Undefined);
  EXPECT_EQ(promote_types(kQInt8, kQInt8), kQInt8);
  EXPECT_ERROR(promote_types(kQInt8, kFloat),
               "expected two types that promote to one, got QInt8 and Float; quantized types do not mix with others");
  EXPECT_ERROR(promote_types(kQInt8, kQUInt8),
               "expected two types that promote to one, got QInt8 and QUInt8; quantized types do not mix with others");
}

TEST(CanCast, GoesUpInCategoryOnly) {
  const auto category = [](ScalarType type) {
    return is_complex(type) ? 3 : is_floating(type) ? 2 : is_integral(type, false) ? 1 : 0;
  };
  for (const ScalarType from : types_in(kAllTypes)) {
    for (const ScalarType to : types_in(kAllTypes)) {
      EXPECT_EQ(can_cast(from, to), category(from) <= category(to)) << from << " to " << to;
    }
  }
}

TEST(ScalarType, HasTheNumbersOfSerialisedForms) {
  EXPECT_EQ(static_cast<int>(kByte), 0);
  EXPECT_EQ(static_cast<int>(kFloat), 6);
  EXPECT_EQ(static_cast<int>(kComplexHalf), 8);
  EXPECT_EQ(static_cast<int>(kBool), 11);
  EXPECT_EQ(static_cast<int>(kBFloat16), 15);
  EXPECT_EQ(static_cast<int>(kQUInt2x4), 17);
  EXPECT_EQ(static_cast<int>(ScalarType::Undefined), 18);
}

TEST(ScalarType, Prints) {
  EXPECT_EQ(to_string(kAllTypes | kQuantizedTypes),
            "Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, "
            "QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4");
  EXPECT_EQ(to_string(ScalarType::Undefined), std::string("Undefined"));
}

template <class T>
void expect_matches() {
  EXPECT_EQ(item_size(scalar_type_of<T>), sizeof(T)) << scalar_type_of<T>;
}

TEST(ScalarType, HasTheSizeOfItsCppType) {
  expect_matches<uint8_t>();
  expect_matches<int8_t>();
  expect_matches<int16_t>();
  expect_matches<int32_t>();
  expect_matches<int64_t>();
  expect_matches<Half>();
  expect_matches<BFloat16>();
  expect_matches<float>();
  expect_matches<double>();
  expect_matches<Complex<Half>>();
  expect_matches<Complex<float>>();
  expect_matches<Complex<double>>();
  expect_matches<bool>();
  EXPECT_EQ(item_size(kQInt32), 4u);
  EXPECT_EQ(item_size(kQUInt4x2), 1u);
  EXPECT_EQ(scalar_type_of<char*>, ScalarType::Undefined);
}

TEST(ScalarType, BelongsToOneCategory) {
  for (const ScalarType type : kScalarTypes) {
    EXPECT_EQ(is_integral(type, false) + is_floating(type) + is_complex(type) + is_quantized(type) + (type == kBool), 1)
        << type;
  }
  EXPECT_TRUE(is_integral(kBool, true));
  EXPECT_FALSE(is_integral(kBool, false));
  EXPECT_FALSE(is_signed(kByte) || is_signed(kBool) || is_signed(kQUInt8));
  EXPECT_TRUE(is_signed(kChar) && is_signed(kBFloat16) && is_signed(kComplexHalf) && is_signed(kQInt32));
}

TEST(ScalarType, HasRealAndComplexCounterparts) {
  EXPECT_EQ(to_complex(kHalf), kComplexHalf);
  EXPECT_EQ(to_complex(kFloat), kComplexFloat);
  EXPECT_EQ(to_complex(kDouble), kComplexDouble);
  EXPECT_EQ(to_complex(kBFloat16), kComplexFloat);
  EXPECT_EQ(to_complex(kLong), kComplexFloat);
  EXPECT_EQ(to_complex(kComplexDouble), kComplexDouble);
  EXPECT_ERROR(to_complex(kQInt8), "expected a type with a complex counterpart, got QInt8");
  EXPECT_EQ(to_real(kComplexHalf), kHalf);
  EXPECT_EQ(to_real(kComplexFloat), kFloat);
  EXPECT_EQ(to_real(kComplexDouble), kDouble);
  EXPECT_EQ(to_real(kInt), kInt);
}

TEST(DefaultDtype, IsFloatUntilSet) {
  EXPECT_EQ(default_dtype(), kFloat);
  set_default_dtype(kDouble);
  EXPECT_EQ(default_dtype(), kDouble);
  EXPECT_ERROR(set_default_dtype(kLong), "expected the default dtype to be floating, got Long");
  EXPECT_EQ(default_dtype(), kDouble);
  set_default_dtype(kFloat);
}

TEST(ScalarTypeSet, Joins) {
  EXPECT_EQ(kFloat | kDouble, kFloatingTypes);
  EXPECT_TRUE((kFloatingTypes | kHalf).contains(kHalf));
  EXPECT_FALSE(kFloatingTypes.contains(kHalf));
  EXPECT_EQ(std::bitset<32>(kAllTypes.bits).count(), 13u);
}

}  // namespace
}  // namespace structured
