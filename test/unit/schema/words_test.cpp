#include "structured/schema/words.h"

#include <gtest/gtest.h>

#include <optional>

namespace structured::schema {
namespace {

TEST(Words, PrintTheFirstAndReadEveryWord) {
  EXPECT_EQ(word_of("ScalarType", "ComplexFloat"), "complex_float");
  EXPECT_EQ(find_word("ScalarType", "complex64"), "ComplexFloat");
  EXPECT_EQ(word_of("Layout", "Mkldnn"), "mkldnn");
  EXPECT_EQ(find_word("Layout", "_mkldnn"), "Mkldnn");
  EXPECT_EQ(word_of("DeviceType", "PrivateUse1"), "privateuseone");
  EXPECT_EQ(find_word("Layout", "byte"), std::nullopt);
  EXPECT_EQ(word_of("Reduction", "None"), std::nullopt);
  EXPECT_EQ(find_word("Reduction", ""), std::nullopt);
}

}  // namespace
}  // namespace structured::schema
