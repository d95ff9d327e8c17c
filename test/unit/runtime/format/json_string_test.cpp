#include "structured/format/json_string.h"

#include <gtest/gtest.h>

#include <string>

namespace structured::detail {
namespace {

TEST(JsonString, EscapesWhatJsonRequires) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("a \"b\" \\ c"), R"("a \"b\" \\ c")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string("\x01x\x1f\0", 4)), R"("\u0001x\u001f\u0000")");
}

TEST(JsonString, KeepsOtherCharacters) { EXPECT_EQ(json_string("\x7f\xC3\xA9/"), "\"\x7f\xC3\xA9/\""); }

}  // namespace
}  // namespace structured::detail
