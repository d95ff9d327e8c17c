#include "structured/dispatch/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../expect_error.h"

namespace structured {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts(const std::vector<SchemaArgument>& arguments) {
  std::vector<std::string> result;
  for (const SchemaArgument& argument : arguments) {
    result.push_back(std::string(argument.is_keyword_only ? "*" : "") + std::string(argument.type) + "|" +
                     std::string(argument.name) + "|" + std::string(argument.default_value));
  }
  return result;
}

TEST(ReadSchema, KnowsTypesNamesAndDefaults) {
  const SchemaText schema =
      read_schema("add.out(Tensor self, int[2]? dim=[0, 1], *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_THAT(texts(schema.arguments),
              ElementsAre("Tensor|self|", "int[2]?|dim|[0, 1]", "*Scalar|alpha|1", "*Tensor(a!)|out|"));
  EXPECT_THAT(texts(schema.returns), ElementsAre("Tensor(a!)||"));
  EXPECT_TRUE(schema.arguments[1].is_optional());
  EXPECT_TRUE(schema.arguments[3].is_mutable());
  EXPECT_FALSE(schema.arguments[0].is_mutable());
}

TEST(ReadSchema, StringsMayHoldAnything) {
  const SchemaText schema = read_schema("f(str mode=\"a, (b\", str? other='c)') -> ()");
  EXPECT_THAT(texts(schema.arguments), ElementsAre("str|mode|\"a, (b\"", "str?|other|'c)'"));
  EXPECT_THAT(schema.returns, IsEmpty());
}

TEST(ReadSchema, StringsMayHoldTheirQuote) {
  const SchemaText schema = read_schema(R"x(f(str s="a\",b", str t='\')', str u="\\", int n=3) -> int)x");
  EXPECT_THAT(texts(schema.arguments), ElementsAre(R"(str|s|"a\",b")", R"(str|t|'\')')", R"(str|u|"\\")", "int|n|3"));
  EXPECT_THAT(texts(schema.returns), ElementsAre("int||"));
}

TEST(ReadSchema, SeveralResults) {
  EXPECT_THAT(texts(read_schema("max.dim(Tensor self) -> (Tensor values, Tensor indices)").returns),
              ElementsAre("Tensor|values|", "Tensor|indices|"));
  EXPECT_THAT(texts(read_schema("split(Tensor(a) self) -> Tensor(a)[]").returns), ElementsAre("Tensor(a)[]||"));
}

TEST(ReadSchema, EmptyTextHasNoArguments) {
  EXPECT_THAT(read_schema("").arguments, IsEmpty());
  EXPECT_THAT(read_schema("").returns, IsEmpty());
}

TEST(ReadSchema, MalformedTextIsAnErrorWithItsColumn) {
  test::expect_error([] { read_schema("f("); }, "schema `f(`: column 3: expected a type, found the end of the text");
  test::expect_error([] { read_schema("f(Tensr self) -> Tensor"); },
                     "schema `f(Tensr self) -> Tensor`: column 3: expected a type, found `Tensr`");
  test::expect_error([] { read_schema("f()"); }, "schema `f()`: column 4: expected `->`");
  test::expect_error([] { read_schema("f"); }, "schema `f`: column 2: expected `(`, `.` or `::`");
}

}  // namespace
}  // namespace structured
