#include <structured/base/error.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "throws_error.h"

namespace structured {
namespace {

struct Point {
  int x, y;
};
std::ostream& operator<<(std::ostream& out, const Point& point) {
  return out << '<' << point.x << '|' << point.y << '>';
}

TEST(Error, JoinsPartsOfEveryKind) {
  const std::string text = "text";
  const Point point{1, 2};
  EXPECT_ERROR(STRUCTURED_CHECK(false, "a", text, std::string_view("view"), 'c', true, 1, -2, 3u, 2.5, 0.5f, point),
               "atextviewctrue1-232.50.5<1|2>");
}

TEST(Error, PrintsSmallIntegersAsNumbers) {
  EXPECT_ERROR(STRUCTURED_CHECK(false, uint8_t{200}, ' ', int8_t{-5}, ' ', uint64_t{1} << 63),
               "200 -5 9223372036854775808");
}

TEST(Error, KeepsTextWithNulInside) {
  try {
    fail(std::string("a\0b", 3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what(), 3), std::string("a\0b", 3));
  }
}

TEST(Error, NamesTheConditionWithoutParts) { EXPECT_ERROR(STRUCTURED_CHECK(1 + 1 == 3), "expected `1 + 1 == 3`"); }

TEST(Error, EvaluatesPartsOnFailureOnly) {
  int evaluated = 0;
  STRUCTURED_CHECK(evaluated == 0, "never: ", ++evaluated);
  STRUCTURED_INTERNAL_ASSERT(evaluated == 0, "never: ", ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

TEST(Error, EvaluatesTheConditionOnce) {
  int evaluated = 0;
  STRUCTURED_CHECK(++evaluated > 0);
  EXPECT_EQ(evaluated, 1);
}

TEST(Error, IsOneStatement) {
  bool reached_else = false;
  if (false)
    STRUCTURED_CHECK(true);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

TEST(Error, CopiesShareTheText) {
  Error first("one");
  Error second("two");
  const Error copy = first;
  EXPECT_EQ(copy.what(), first.what());
  second = first;
  EXPECT_STREQ(second.what(), "one");
  second = *&second;
  EXPECT_STREQ(second.message(), "one");
}

TEST(Error, IsAStandardException) { EXPECT_THROW(fail("x"), std::exception); }

TEST(InternalError, NamesThePlaceTheConditionAndTheParts) {
  const int line = __LINE__ + 2;
  try {
    STRUCTURED_INTERNAL_ASSERT(2 < 1, "two is ", 2);
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_EQ(error.what(), "internal error at error_test.cpp:" + std::to_string(line) +
                                ": expected `2 < 1`: two is 2 (this is a bug in structured, not in your program)");
  }
}

std::string last_warning;

TEST(Warn, GoesToTheHandler) {
  const WarningHandler first = set_warning_handler([](const char* message) { last_warning = message; });
  warn("resizing from ", 1, " to ", 2);
  EXPECT_EQ(last_warning, "resizing from 1 to 2");
  last_warning.clear();

  EXPECT_NE(set_warning_handler(nullptr), first);
  testing::internal::CaptureStderr();
  warn("to stderr");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "structured: warning: to stderr\n");
  EXPECT_EQ(last_warning, "");
  EXPECT_EQ(set_warning_handler(first), first);
}

}  // namespace
}  // namespace structured
