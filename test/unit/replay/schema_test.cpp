#include "schema.h"

#include <gtest/gtest.h>

namespace structured::replay {
namespace {

TEST(SchemaArguments, AreReadWithTypesDefaultsAndAliasSets) {
  const auto arguments = schema_arguments(
      "f.out(Tensor(a!) self, int[2] size=[0,1], *, str mode=\"a, b\", Tensor?(b!)[] list, Tensor(c!) out) -> "
      "(Tensor(c!))");
  ASSERT_EQ(arguments.size(), 5);
  EXPECT_EQ(arguments[0].type, "Tensor");
  EXPECT_TRUE(arguments[0].is_mutable);
  EXPECT_EQ(arguments[1].type, "int[2]");
  EXPECT_EQ(arguments[1].default_value, "[0,1]");
  EXPECT_EQ(arguments[2].default_value, "\"a, b\"");
  EXPECT_FALSE(arguments[2].is_mutable);
  EXPECT_EQ(arguments[3].type, "Tensor?[]");
  EXPECT_EQ(arguments[4].name, "out");
}

TEST(SchemaArguments, MayBeNone) { EXPECT_TRUE(schema_arguments("f() -> Tensor").empty()); }

}  // namespace
}  // namespace structured::replay
