#include <structured/core/visit.h>

#include <type_traits>

#include "throws_error.h"

namespace structured {
namespace {

TEST(Visit, CallsWithTheCppTypeOfEveryType) {
  for (int i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
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

}  // namespace
}  // namespace structured
