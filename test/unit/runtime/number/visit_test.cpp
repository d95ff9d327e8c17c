#include <structured/number/visit.h>

#include <type_traits>

#include "throws_error.h"

namespace structured {
namespace {

TEST(Visit, CallsWithTheCppTypeOfEveryType) {
  for (const ScalarType type : kScalarTypes) {
    if (!kAllTypes.contains(type)) continue;
    EXPECT_EQ(visit<kAllTypes>("test", type, []<class T>() { return scalar_type_of<T>; }), type);
  }
}

TEST(Visit, ReturnsNothingIfTheFunctionDoes) {
  bool called = false;
  visit<kFloatingTypes>("test", kDouble, [&]<class T>() { called = std::is_same_v<T, double>; });
  EXPECT_TRUE(called);
}

TEST(Visit, MakesNoCodeForOtherTypes) {
  // The function would not compile for complex types.
  EXPECT_TRUE(visit<kIntegralTypes>("test", kInt, []<class T>() { return T(1) < T(2); }));
}

TEST(Visit, RefusesOtherTypes) {
  const auto name = []<class T>() {};
  EXPECT_ERROR(visit<kFloatingTypes>("exp", kInt, name), "exp: expected dtype to be one of Float, Double, got Int");
  EXPECT_ERROR(visit < kReducedFloatingTypes | kBool > ("f", kQInt8, name),
               "f: expected dtype to be one of Half, Bool, BFloat16, got QInt8");
  EXPECT_ERROR(visit<kFloatingTypes>("f", ScalarType::Undefined, name),
               "f: expected dtype to be one of Float, Double, got Undefined");
}

// A build selects dtypes, and the function supports one or none of them.
TEST(Visit, RefusesDtypesThatABuildDoesNotSelect) {
  constexpr ScalarTypeSet supported = kInt | kLong, selected = kFloat | kLong;
  const auto type_of = []<class T>() { return scalar_type_of<T>; };
  const auto one = [&](ScalarType type) {
    return visit<supported, decltype(type_of)&, selected>("repeat", type, type_of);
  };
  EXPECT_EQ(one(kLong), kLong);
  EXPECT_ERROR(one(kInt), "repeat: expected a dtype that this build selects, one of Long, Float; got Int");
  EXPECT_ERROR(one(kFloat), "repeat: expected dtype to be one of Int, Long, got Float");
  const auto none = [&](ScalarType type) -> ScalarType {
    return visit<supported, decltype(type_of)&, set_of(kFloat)>("repeat", type, type_of);
  };
  EXPECT_ERROR(none(kLong), "repeat: expected a dtype that this build selects, one of Float; got Long");
  EXPECT_ERROR(none(kFloat), "repeat: expected dtype to be one of Int, Long, got Float");
}

}  // namespace
}  // namespace structured
