#include "language/dtypes.h"

#include <gmock/gmock.h>

namespace structured::gen {
namespace {

TEST(Dtypes, AreFoundByEitherName) {
  EXPECT_EQ(find_dtype("uint8")->constant, "kByte");
  EXPECT_EQ(find_dtype("byte")->constant, "kByte");
  EXPECT_EQ(find_dtype("floating")->constant, "kAllFloatingTypes");
  EXPECT_TRUE(find_dtype("floating")->is_set);
  EXPECT_FALSE(find_dtype("float")->is_set);
  EXPECT_EQ(find_dtype("Float"), nullptr);
}

TEST(Dtypes, AreFloatingOrDifferentiableByTheirRows) {
  for (const char* name : {"half", "bfloat16", "float64", "floating", "all"}) {
    EXPECT_TRUE(includes_floating(name) && includes_differentiable(name)) << name;
  }
  for (const char* name : {"complex_half", "complex128", "complex"}) {
    EXPECT_TRUE(!includes_floating(name) && includes_differentiable(name)) << name;
  }
  for (const char* name : {"bool", "long", "integral", "qint8", "quantized", "kFloat", "flaoting"}) {
    EXPECT_FALSE(includes_floating(name) || includes_differentiable(name)) << name;
  }
}

TEST(Dtypes, ArePlainUnlessTheyAreQuantized) {
  EXPECT_TRUE(find_dtype("all")->is_plain() && find_dtype("complex32")->is_plain());
  EXPECT_FALSE(find_dtype("quantized")->is_plain() || find_dtype("quint4x2")->is_plain());
}

}  // namespace
}  // namespace structured::gen
