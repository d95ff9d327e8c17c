#include "structured/schema/schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "structured/schema/parse.h"

namespace structured::schema {
namespace {

Schema parse(std::string_view text) {
  ParseError error;
  const std::optional<Schema> schema = parse_schema(text, &error);
  if (!schema) {
    ADD_FAILURE() << text << ": " << error.message();
    return {};
  }
  return *schema;
}

const Type tensor{Type::Base::Tensor, {}};
const Type::Wrapper optional{Type::Wrapper::Kind::optional, std::nullopt};
const Type::Wrapper list{Type::Wrapper::Kind::list, std::nullopt};

TEST(Schema, RealSchemasPrintBackUnchanged) {
  std::ifstream file(SCHEMAS_FILE);
  ASSERT_TRUE(file) << SCHEMAS_FILE;
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const Schema schema = parse(line);
    EXPECT_EQ(to_string(schema), line);
    EXPECT_EQ(parse(to_string(schema)), schema) << line;
  }
  EXPECT_EQ(count, 150);
}

TEST(Schema, ArgumentsAreSortedIntoThreeKinds) {
  const Schema schema =
      parse("aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(schema.name, (OperatorName{"aten", "add", "out"}));
  ASSERT_EQ(schema.positional.size(), 2u);
  EXPECT_EQ(schema.positional[0], (Argument{"self", tensor, std::nullopt, std::nullopt}));
  ASSERT_EQ(schema.keyword_only.size(), 1u);
  EXPECT_EQ(schema.keyword_only[0], (Argument{"alpha", {Type::Base::Scalar, {}}, std::nullopt, "1"}));
  ASSERT_EQ(schema.out.size(), 1u);
  EXPECT_EQ(schema.out[0], (Argument{"out", tensor, AliasSet{{"a"}, true, {}}, std::nullopt}));
  ASSERT_EQ(schema.returns.size(), 1u);
  EXPECT_EQ(schema.returns[0], (Return{tensor, AliasSet{{"a"}, true, {}}, ""}));
}

TEST(Schema, OnlyTrailingWrittenKeywordArgumentsAreOutputs) {
  const Schema schema =
      parse("f(Tensor(a!) x, *, Tensor(b!) y, int n, Tensor(c!) z, Tensor(d!)[] w) -> (Tensor(c!), Tensor(d!)[])");
  EXPECT_EQ(schema.positional.size(), 1u);
  ASSERT_EQ(schema.keyword_only.size(), 2u);
  EXPECT_EQ(schema.keyword_only[0].name, "y");
  ASSERT_EQ(schema.out.size(), 2u);
  EXPECT_EQ(schema.out[0].name, "z");
  EXPECT_EQ(schema.out[1].type, (Type{Type::Base::Tensor, {list}}));
  EXPECT_EQ(to_string(schema),
            "f(Tensor(a!) x, *, Tensor(b!) y, int n, Tensor(c!) z, Tensor(d!)[] w) -> (Tensor(c!), Tensor(d!)[])");
}

TEST(Schema, AliasSetsOfEveryForm) {
  for (const char* alias : {"(a)", "(a!)", "(a|b)", "(a|b!)", "(a -> *)", "(a! -> a|b)", "(*)", "(a|b -> c|d)"}) {
    const std::string text = std::string("f(Tensor") + alias + "[] x) -> Tensor" + alias;
    EXPECT_EQ(to_string(parse(text)), text);
  }
  const Schema schema = parse("f(Tensor(a|b! -> c|*)?[2] x) -> ()");
  EXPECT_EQ(schema.positional[0].alias, (AliasSet{{"a", "b"}, true, {"c", "*"}}));
  EXPECT_EQ(schema.positional[0].type, (Type{Type::Base::Tensor, {optional, {Type::Wrapper::Kind::list, 2}}}));
  EXPECT_TRUE(schema.positional[0].is_mutable());
}

TEST(Schema, DefaultsKeepTheirText) {
  for (const char* text : {"None",
                           "True",
                           "[]",
                           "[0,1]",
                           "[[1,2],[]]",
                           "-1",
                           "1.0",
                           "1.",
                           "1e-05",
                           "-2.5E+10",
                           "-inf",
                           "Mean",
                           "contiguous_format",
                           "\"constant\"",
                           "'none'",
                           R"("\"'\\")",
                           R"('"\'\\')",
                           "\"a, b) -> c\"",
                           "\"\"",
                           "\"\xC3\xA9\""}) {
    const std::string schema_text = std::string("f(int x=") + text + ", int y=1) -> ()";
    const Schema schema = parse(schema_text);
    ASSERT_EQ(schema.positional.size(), 2u) << text;
    EXPECT_EQ(schema.positional[0].default_value, text);
    EXPECT_EQ(to_string(schema), schema_text);
  }
}

TEST(Schema, Results) {
  EXPECT_TRUE(parse("f() -> ()").returns.empty());
  EXPECT_EQ(parse("f() -> Tensor grid").returns, (std::vector<Return>{{tensor, std::nullopt, "grid"}}));
  EXPECT_EQ(parse("f() -> (Tensor values, int)").returns,
            (std::vector<Return>{{tensor, std::nullopt, "values"}, {{Type::Base::Int, {}}, std::nullopt, ""}}));
}

TEST(Schema, BlanksBetweenPartsAreIgnored) {
  EXPECT_EQ(parse(" f(  Tensor( a  ->  b|c )  x =  [ 1 ,2 ] ,*,\tint y)->(Tensor , int  n ) "),
            parse("f(Tensor(a -> b|c) x=[ 1 ,2 ], *, int y) -> (Tensor, int n)"));
}

TEST(OperatorName, PrintsAndParses) {
  for (const char* text : {"add", "add.Tensor", "aten::add.Tensor", "aten::add", "__and__.Scalar", "_x_", "f.2d"}) {
    ParseError error;
    const std::optional<OperatorName> name = parse_operator_name(text, &error);
    ASSERT_TRUE(name) << error.message();
    EXPECT_EQ(to_string(*name), text);
  }
  EXPECT_EQ(*parse_operator_name("a::b.c"), (OperatorName{"a", "b", "c"}));
}

TEST(OperatorName, InplaceByName) {
  const auto is_inplace = [](const char* base) { return OperatorName{"", base, ""}.is_inplace(); };
  for (const char* base : {"add_", "_foreach_add_", "_", "set_data_", "x__", "__iand__", "__ilshift__", "_x__"}) {
    EXPECT_TRUE(is_inplace(base)) << base;
  }
  for (const char* base : {"add", "", "__and__", "__lshift__", "_add", "__x__", "add_x", "__i__"}) {
    EXPECT_FALSE(is_inplace(base)) << base;
  }
}

TEST(Schema, NamesOfArgumentsAndResultsMayHaveAnyLetter) {
  const char* text =
      "f(Tensor gr\xC3\xB6\xC3\x9F"
      "e, *, int \xCE\xB1=1) -> (Tensor \xCE\xB2, Tensor)";
  const Schema schema = parse(text);
  EXPECT_EQ(to_string(schema), text);
  EXPECT_EQ(schema.keyword_only.at(0).name, "\xCE\xB1");
  EXPECT_EQ(schema.returns.at(0).name, "\xCE\xB2");
}

TEST(Schema, LongNamesAndManyArguments) {
  const std::string name(10000, 'n');
  std::string text = name + "." + name + "(";
  for (int i = 0; i < 1000; ++i) text += (i ? ", int[3]? " : "int[3]? ") + name + std::to_string(i) + "=None";
  text += ") -> Tensor " + name;
  EXPECT_EQ(to_string(parse(text)), text);
}

TEST(Schema, DeepWrappersPrintBack) {
  std::string text = "f(Tensor";
  for (int i = 0; i < 10000; ++i) text += i % 2 ? "[]" : "?";
  text += " x) -> ()";
  EXPECT_EQ(to_string(parse(text)), text);
}

// Truncated schemas, and schemas with one byte changed, must be rejected or print as they were read.
TEST(Schema, DamagedTextIsRefusedOrPrintsBack) {
  const std::string good =
      "a::b.c(Tensor(a! -> *)[2]? x, *, str y=\"\\\"\", int[1] z=[1,2], Tensor(b!) o) -> (Tensor(b!) q, int)";
  int refused = 0;
  const auto check = [&](const std::string& text) {
    ParseError error;
    const std::optional<Schema> schema = parse_schema(text, &error);
    if (!schema) {
      EXPECT_NE(error.expected, "");
      EXPECT_NE(error.found, "");
      ++refused;
      return;
    }
    const std::string printed = to_string(*schema);
    const std::optional<Schema> again = parse_schema(printed, &error);
    ASSERT_TRUE(again) << printed << ": " << error.message();
    EXPECT_EQ(*again, *schema) << text;
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    check(good.substr(0, i));
    check(good.substr(0, i) + good.substr(i + 1));
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = good;
      text[i] = static_cast<char>(byte);
      check(text);
    }
  }
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace structured::schema
