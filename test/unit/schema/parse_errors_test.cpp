// The message of the parser for each mistake: column, what was expected and what was found.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "structured/schema/parse.h"

namespace structured::schema::parse_errors_test {
namespace {

struct Case {
  std::string text;
  const char* error;
};

// Makes GoogleTest print the text of a case.
void PrintTo(const Case& value, std::ostream* out) { *out << value.text; }

class SchemaError : public testing::TestWithParam<Case> {};

TEST_P(SchemaError, NamesColumnExpectedAndFound) {
  ParseError error;
  EXPECT_EQ(parse_schema(GetParam().text, &error), std::nullopt);
  EXPECT_EQ(error.message(), GetParam().error);
  EXPECT_FALSE(parse_schema(GetParam().text));
  EXPECT_FALSE(view_schema(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    Malformed, SchemaError,
    testing::Values(
        Case{"", "column 1: expected an operator name, found the end of the text"},
        Case{"1x() -> ()", "column 1: expected an operator name, found `1x`"},
        Case{"a::() -> ()", "column 4: expected an operator name, found `(`"},
        Case{"a.() -> ()", "column 3: expected an overload name, found `(`"},
        Case{"a", "column 2: expected `(`, `.` or `::`, found the end of the text"},
        Case{"a.b", "column 4: expected `(`, found the end of the text"},
        Case{"a::b::c() -> ()", "column 5: expected `(` or `.`, found `:`"},
        Case{"a.b.c() -> ()", "column 4: expected `(`, found `.`"},
        Case{"a b() -> ()", "column 2: expected `(`, `.` or `::`, found ` `"},
        Case{"a(", "column 3: expected a type, found the end of the text"},
        Case{"a(Tensr x) -> ()", "column 3: expected a type, found `Tensr`"},
        Case{"a(Tensor) -> ()", "column 9: expected the name of an argument, found `)`"},
        Case{"a(Tensor x", "column 11: expected `,` or `)`, found the end of the text"},
        Case{"a(Tensor x y) -> ()", "column 12: expected `,` or `)`, found `y`"},
        Case{"a(Tensor x,) -> ()", "column 12: expected a type, found `)`"},
        Case{"a(Tensor (a) x) -> ()", "column 10: expected the name of an argument, found `(`"},
        Case{"a(int(a) x) -> ()", "column 6: expected no alias set on `int`, found `(`"},
        Case{"a(Tensor() x) -> ()", "column 10: expected the name of an alias set, found `)`"},
        Case{"a(Tensor(a x) -> ()", "column 12: expected `)` or `->`, found `x`"},
        Case{"a(Tensor(a -> ) x) -> ()", "column 15: expected the name of an alias set, found `)`"},
        Case{"a(Tensor(a -> b c) x) -> ()", "column 17: expected `)`, found `c`"},
        Case{"a(Tensor(a|) x) -> ()", "column 12: expected the name of an alias set, found `)`"},
        Case{"a(int[x] y) -> ()", "column 7: expected the length of a list or `]`, found `x`"},
        Case{"a(int[0] y) -> ()", "column 7: expected the length of a list or `]`, found `0`"},
        Case{"a(int[02] y) -> ()", "column 7: expected the length of a list or `]`, found `02`"},
        Case{"a(int[-1] y) -> ()", "column 7: expected the length of a list or `]`, found `-`"},
        Case{"a(int[99999999999999999999] y) -> ()",
             "column 7: expected the length of a list or `]`, found `99999999999999999999`"},
        Case{"a(int[2 y) -> ()", "column 8: expected `]`, found ` `"},
        Case{"a(int x=) -> ()", "column 9: expected a default, found `)`"},
        Case{"a(int x=-) -> ()", "column 10: expected a number, found `)`"},
        Case{"a(int x=1e) -> ()", "column 11: expected an exponent, found `)`"},
        Case{"a(int x=1 2) -> ()", "column 11: expected `,` or `)`, found `2`"},
        Case{"a(int x=[1,) -> ()", "column 12: expected a default, found `)`"},
        Case{"a(int x=[1) -> ()", "column 11: expected `,` or `]`, found `)`"},
        Case{"a(str x=\"b) -> ()", "column 9: expected a string that ends in `\"`, found the end of the text"},
        Case{"a(str x='b\\') -> ()", "column 9: expected a string that ends in `'`, found the end of the text"},
        Case{"a(str x='\\", "column 9: expected a string that ends in `'`, found the end of the text"},
        Case{"a(int x=[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]) -> ()",
             "column 25: expected no more than 16 nested lists, found `[`"},
        Case{"a(*) -> ()", "column 4: expected `,` and a keyword-only argument, found `)`"},
        Case{"a(*, ) -> ()", "column 6: expected a type, found `)`"},
        Case{"a(*, *, int x) -> ()", "column 6: expected only one `*`, found `*`"},
        Case{"a(*, int x, *, int y) -> ()", "column 13: expected only one `*`, found `*`"},
        Case{"a()", "column 4: expected `->`, found the end of the text"},
        Case{"a() Tensor", "column 5: expected `->`, found `Tensor`"},
        Case{"a() ->", "column 7: expected a type, found the end of the text"},
        Case{"a() -> (Tensor)", "column 15: expected `,` and another result, found `)`"},
        Case{"a() -> (Tensor, Tensor", "column 23: expected `,` or `)`, found the end of the text"},
        Case{"a() -> Tensor, Tensor", "column 14: expected the end of the text, found `,`"},
        Case{"a() -> () x", "column 11: expected the end of the text, found `x`"},
        Case{std::string("a(\0) -> ()", 10), "column 3: expected a type, found byte 0x00"},
        Case{"a(\xC3\xA9 x) -> ()", "column 3: expected a type, found byte 0xc3"},
        Case{"\xC3\xA9(int x) -> ()", "column 1: expected an operator name, found byte 0xc3"},
        Case{"a(\n) -> ()", "column 3: expected a type, found byte 0x0a"},
        Case{"a(" + std::string(1000, 'q') + " x) -> ()",
             "column 3: expected a type, found `qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq...`"}));

std::string type_error(const char* text) {
  ParseError error;
  EXPECT_EQ(parse_type(text, &error), std::nullopt);
  return error.message();
}

std::string operator_name_error(const char* text) {
  ParseError error;
  EXPECT_EQ(parse_operator_name(text, &error), std::nullopt);
  return error.message();
}

TEST(TypeError, NamesColumnExpectedAndFound) {
  EXPECT_EQ(type_error("Tensor(a)"), "column 7: expected the end of the text, found `(`");
  EXPECT_EQ(type_error(""), "column 1: expected a type, found the end of the text");
}

TEST(OperatorNameError, NamesColumnExpectedAndFound) {
  EXPECT_EQ(operator_name_error("add tensor"), "column 5: expected the end of the text, found `tensor`");
  EXPECT_EQ(operator_name_error("add."), "column 5: expected an overload name, found the end of the text");
}

}  // namespace
}  // namespace structured::schema::parse_errors_test
