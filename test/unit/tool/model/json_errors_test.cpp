// Errors of the readers for invalid documents.
#include <gtest/gtest.h>

#include <string>

#include "model/fragment_json.h"
#include "model/library_json.h"
#include "samples.h"

namespace structured::gen::json_errors_test {
namespace {

struct Case {
  std::string text;
  std::string error;
};

// Makes GoogleTest print the text of a case.
void PrintTo(const Case& value, std::ostream* out) { *out << value.text.substr(0, 200); }

std::string fragment(const std::string& declarations) {
  return R"({"format": "structured fragment", "version": 2, "source": "a.cpp", "dialect": "native", "declarations": )" +
         declarations + "}";
}

std::string declaration(const std::string& members) {
  return fragment(R"([{"name": "f", "result": {"canonical": "void"}, )" + members + "}]");
}

std::string library(const std::string& operators) {
  return R"({"format": "structured library", "version": 1, "schema_namespace": "a", "cpp_namespace": "b", )"
         R"("dialect": "native", "operators": )" +
         operators + "}";
}

std::string variant(const std::string& members) { return library(R"([{"variants": [{)" + members + "}]}]"); }

class FragmentError : public testing::TestWithParam<Case> {};

TEST_P(FragmentError, NamesPlaceExpectedAndFound) {
  llvm::Expected<Fragment> value = fragment_from_json(GetParam().text);
  ASSERT_FALSE(static_cast<bool>(value));
  EXPECT_EQ(llvm::toString(value.takeError()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, FragmentError,
    testing::Values(
        Case{"",
             "malformed JSON: line 1, column 1: syntax error while parsing value - unexpected end of input; "
             "expected '[', '{', or a literal"},
        Case{"{\n \"format\": ",
             "malformed JSON: line 2, column 12: syntax error while parsing value - unexpected end of input; expected "
             "'[', '{', or a literal"},
        Case{"{} x",
             "malformed JSON: line 1, column 4: syntax error while parsing value - invalid literal; last read: "
             "'{} x'; expected end of input"},
        Case{"{\"a\": 1e999}", "malformed JSON: number overflow parsing '1e999'"},
        Case{R"({"a": 1, "a": 2})", "`$`: expected each key once, found `a` twice"},
        Case{R"({"a": [[0], {"b": {"c": 1, "c": 2}}]})", "`$.a[1].b`: expected each key once, found `c` twice"},
        Case{std::string(65, '['), "`$" + [] {
               std::string path;
               for (int i = 0; i < 63; ++i) path += "[0]";
               return path;
             }() + "`: expected no more than 64 levels of nesting, found more"}));

INSTANTIATE_TEST_SUITE_P(
    Document, FragmentError,
    testing::Values(Case{"null", "`$`: expected an object, found null"},
                    Case{"[]", "`$`: expected an object, found an array"},
                    Case{"{}", "`$`: expected the key `format`, found none"},
                    Case{R"({"format": "structured fragment"})", "`$`: expected the key `version`, found none"},
                    Case{R"({"format": "structured library", "version": 1})",
                         "`$.format`: expected `structured fragment`, found `structured library`"},
                    Case{R"({"format": "structured fragment", "version": 3, "news": []})",
                         "`$.version`: expected 2, found 3, which a newer structured-gen wrote"},
                    Case{R"({"format": "structured fragment", "version": 0})", "`$.version`: expected 2, found 0"},
                    Case{R"({"format": "structured fragment", "version": "1"})",
                         "`$.version`: expected an integer, found the string `1`"},
                    Case{R"({"format": "structured fragment", "version": 1.5})",
                         "`$.version`: expected an integer, found a number with a fraction or exponent"},
                    Case{R"({"format": "structured fragment", "version": 18446744073709551615})",
                         "`$.version`: expected an integer of 64 bits with a sign, found 18446744073709551615"},
                    Case{R"({"format": "structured fragment", "version": 2})",
                         "`$`: expected the key `source`, found none"}));

INSTANTIATE_TEST_SUITE_P(
    Members, FragmentError,
    testing::Values(
        Case{fragment("{}"), "`$.declarations`: expected an array, found an object"},
        Case{fragment("[1]"), "`$.declarations[0]`: expected an object, found an integer"},
        Case{fragment("[{}]"), "`$.declarations[0]`: expected the key `name`, found none"},
        Case{fragment(R"([{"name": true}])"), "`$.declarations[0].name`: expected a string, found a boolean"},
        Case{fragment(R"([], "extra": 1)"),
             "`$`: expected no keys but `format`, `version`, `source`, `dialect`, `declarations`, `skipped`, "
             "`misspelt`, found "
             "`extra`"},
        Case{declaration(R"("result": {})"), "`$.declarations[0]`: expected each key once, found `result` twice"},
        Case{declaration(R"("parameters": [{"type": {"canonical": "int", "extra": ""}}])"),
             "`$.declarations[0].parameters[0].type`: expected no keys but `canonical`, `written`, found `extra`"},
        Case{declaration(R"("is_definition": 1)"),
             "`$.declarations[0].is_definition`: expected a boolean, found an integer"},
        Case{declaration(R"("comment": null)"), "`$.declarations[0].comment`: expected a string, found null"},
        Case{declaration(R"("base_class": null)"), "`$.declarations[0].base_class`: expected an object, found null"},
        Case{declaration(R"("range": "12")"),
             "`$.declarations[0].range`: expected a place such as `12:3-12:20`, found the string `12`"},
        Case{declaration(R"("range": [1, 2])"),
             "`$.declarations[0].range`: expected a place such as `12:3-12:20`, found an array"},
        Case{declaration(R"("linkage_errors": ["is_member", "is_late"])"),
             "`$.declarations[0].linkage_errors[1]`: expected one of `is_template`, `is_member`, `is_static`, "
             "`is_in_unnamed_namespace`, `is_inline`, `is_constexpr`, `returns_auto`, `is_c_variadic`, `is_deleted`, "
             "`has_asm_label`, found the string `is_late`"},
        Case{declaration(R"("attributes": [{"name": "meta", "arguments": [{"value": []}]}])"),
             "`$.declarations[0].attributes[0].arguments[0].value`: expected a string, an integer or a boolean, found "
             "an array"},
        Case{declaration(R"("template_parameters": ["T", 1])"),
             "`$.declarations[0].template_parameters[1]`: expected a string, found an integer"},
        Case{declaration("\"name_range\": \"" + std::string(100, 'x') + "\""),
             "`$.declarations[0].name_range`: expected a place such as `12:3-12:20`, found the string `" +
                 std::string(60, 'x') + "...`"}));

class LibraryError : public testing::TestWithParam<Case> {};

TEST_P(LibraryError, NamesPlaceExpectedAndFound) {
  llvm::Expected<Library> value = library_from_json(GetParam().text);
  ASSERT_FALSE(static_cast<bool>(value));
  EXPECT_EQ(llvm::toString(value.takeError()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Members, LibraryError,
    testing::Values(
        Case{to_json(full_fragment()), "`$.format`: expected `structured library`, found `structured fragment`"},
        Case{library("[{}]"), "`$.operators[0]`: expected the key `variants`, found none"},
        Case{variant(R"("kind": "outer")"),
             "`$.operators[0].variants[0].kind`: expected one of `functional`, `inplace`, `out`, found the string "
             "`outer`"},
        Case{variant(R"("kind": "out", "schema": "add(Tensor self")"),
             "`$.operators[0].variants[0].schema`: expected a schema, found the string `add(Tensor self` (column 16: "
             "expected `,` or `)`, found the end of the text)"},
        Case{variant(R"("kind": "out", "schema": {})"),
             "`$.operators[0].variants[0].schema`: expected a schema, found an object"}));

// A document truncated at any position is rejected with a message.
TEST(JsonErrors, TruncatedDocumentsAreRefused) {
  const std::string fragment_text = to_json(full_fragment());
  for (std::size_t length = 0; length + 2 < fragment_text.size(); ++length) {
    llvm::Expected<Fragment> value = fragment_from_json(llvm::StringRef(fragment_text).take_front(length));
    ASSERT_FALSE(static_cast<bool>(value)) << length;
    EXPECT_NE(llvm::toString(value.takeError()), "");
  }
  const std::string library_text = to_json(full_library());
  for (std::size_t length = 0; length + 2 < library_text.size(); ++length) {
    llvm::Expected<Library> value = library_from_json(llvm::StringRef(library_text).take_front(length));
    ASSERT_FALSE(static_cast<bool>(value)) << length;
    EXPECT_NE(llvm::toString(value.takeError()), "");
  }
}

TEST(JsonErrors, DeepNestingIsRefused) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 1000000; ++i) text += open;
    llvm::Expected<Fragment> value = fragment_from_json(text);
    ASSERT_FALSE(static_cast<bool>(value));
    EXPECT_NE(llvm::toString(value.takeError()).find("64 levels"), std::string::npos);
  }
}

}  // namespace
}  // namespace structured::gen::json_errors_test
