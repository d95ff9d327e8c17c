#include "model/range_text.h"

#include <gtest/gtest.h>

namespace structured::gen {
namespace {

TEST(Place, PrintsAndParses) {
  const SourceRange ranges[] = {
      {"a.cpp", {1, 2}, {3, 4}},
      {"other.h", {12, 1}, {12, 20}},
      {"with:colon:1:2", {1, 1}, {4294967295u, 4294967295u}},
      {"", {1, 1}, {1, 1}},
      {"a.cpp", {}, {}},
      {"other.h", {}, {}},
  };
  for (const SourceRange& range : ranges) {
    const std::string text = range_text(range, "a.cpp");
    EXPECT_EQ(parse_range(text, "a.cpp"), range) << text;
  }
  EXPECT_EQ(range_text(ranges[0], "a.cpp"), "1:2-3:4");
  EXPECT_EQ(range_text(ranges[1], "a.cpp"), "other.h:12:1-12:20");
}

TEST(Place, RefusesWhatItDoesNotPrint) {
  for (const char* text : {"", "1", "1:2", "1:2-3", "1:2-3:", "1:2-:4", "x1:2-3:4", "1:2-3:4 ", "01:2-3:4", "1:2-3:4x",
                           "1:2-3:99999999999", "-1:2-3:4", "1:2--3:4"}) {
    EXPECT_EQ(parse_range(text, "a.cpp"), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace structured::gen
