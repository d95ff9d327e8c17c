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

TEST(SchemaWords, PrintTheFirstAndReadEveryWord) {
  EXPECT_EQ(schema_word("ScalarType", "ComplexFloat"), "complex_float");
  EXPECT_EQ(schema_enumerator("ScalarType", "complex64"), "ComplexFloat");
  EXPECT_EQ(schema_word("Layout", "Mkldnn"), "mkldnn");
  EXPECT_EQ(schema_enumerator("Layout", "_mkldnn"), "Mkldnn");
  EXPECT_EQ(schema_word("DeviceType", "PrivateUse1"), "privateuseone");
  EXPECT_EQ(schema_enumerator("Layout", "byte"), std::nullopt);
}

}  // namespace
}  // namespace structured::gen
