// Formats of messages, and the values that they print.
#include "check/message.h"

#include <gtest/gtest.h>

namespace structured::gen {
namespace {

static_assert(count_placeholders("`impl` for {} takes {}") == 2);
static_assert(count_placeholders("no value") == 0);
static_assert(!count_placeholders("an index {0}"));
static_assert(!count_placeholders("an open {"));
static_assert(!count_placeholders("a closed }"));
static_assert(has_message_form("`x` is not a backend"));
static_assert(has_message_form("did you mean {}?"));
static_assert(!has_message_form("The backend is unknown"));
static_assert(!has_message_form("the backend is unknown."));
static_assert(!has_message_form(""));

TEST(Message, ReplacesPlaceholdersInOrder) {
  EXPECT_EQ(phrase("{} takes {} first", Code("f"), Code("int")).text, "`f` takes `int` first");
}

TEST(Message, TakesValuesWithPlaceholdersLiterally) {
  EXPECT_EQ(phrase("{} and {}", Code("std::vector{}"), Code("b")).text, "`std::vector{}` and `b`");
}

TEST(Message, EscapesControlCharactersOfCode) { EXPECT_EQ(printed(Code("a\nb\x01")), "`a\\nb\\x01`"); }

TEST(Message, CountsInSingularAndPlural) {
  EXPECT_EQ(printed(Count{1, "tensor"}), "1 tensor");
  EXPECT_EQ(printed(Count{0, "tensor"}), "0 tensors");
}

TEST(Message, ListsNamesAsCode) {
  EXPECT_EQ(printed(List({"a", "b", "c"})), "`a`, `b` and `c`");
  EXPECT_EQ(printed(List({"a", "b"}, "or")), "`a` or `b`");
  EXPECT_EQ(printed(List({})), "");
}

TEST(Message, PrintsNamesOfOperatorsAndRolesAsCode) {
  EXPECT_EQ(phrase("{} for {}", Role::impl, OperatorName{"ns", "add", "out"}).text, "`impl` for `ns::add.out`");
}

TEST(Message, PrintsTypesAsWritten) {
  EXPECT_EQ(printed(CppType{"const structured::Tensor &", "const Tensor&"}), "`const Tensor&`");
}

TEST(Message, PrintsCanonicalTypesIfTheyAreWrittenAlike) {
  const CppType a{"a::Tensor", "Tensor"};
  const CppType b{"b::Tensor", "Tensor"};
  const CppType c{"b::Other", "Other"};
  EXPECT_EQ(phrase("{}, {}", Types(a, b).first, Types(a, b).second).text, "`a::Tensor`, `b::Tensor`");
  EXPECT_EQ(phrase("{}, {}", Types(a, c).first, Types(a, c).second).text, "`Tensor`, `Other`");
}

TEST(Message, SuggestsSimilarNamesOnly) {
  EXPECT_EQ(printed(DidYouMean("CPV", {"CPU", "CUDA"})), "; did you mean `CPU`?");
  EXPECT_EQ(printed(DidYouMean("something else", {"CPU", "CUDA"})), "");
}

TEST(Message, NamesTheBackendsThatWereExpected) {
  EXPECT_EQ(as_on({"CPU", "CUDA"}).text, ", as on `CPU` and `CUDA`");
  EXPECT_EQ(as_on({}).text, ", as in the schema");
}

}  // namespace
}  // namespace structured::gen
