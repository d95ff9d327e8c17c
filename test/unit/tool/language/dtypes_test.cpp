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

}  // namespace
}  // namespace structured::gen
