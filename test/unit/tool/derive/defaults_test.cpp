// Conversion of C++ default arguments to defaults in schemas.
#include <gtest/gtest.h>

#include "llvm/Support/Error.h"
#include "model/schema.h"
#include "model/schema_default.h"

namespace structured::gen {
namespace {

Type type(llvm::StringRef text) { return llvm::cantFail(parse_type(text)); }

std::string converted(llvm::StringRef schema_type, DefaultValue value) {
  return schema_default(type(schema_type), {"(as written)", std::move(value), {}}).value_or("(unsupported)");
}

constexpr const char* unsupported = "(unsupported)";

/// Returns a default that is neither a literal nor an enumerator and evaluates to `value`.
DefaultValue evaluated(std::string value) {
  DefaultValue result;
  result.evaluated = std::move(value);
  return result;
}

/// Returns a literal that evaluates to `value`.
DefaultValue literal(std::string text, std::string value) {
  DefaultValue result = evaluated(std::move(value));
  result.literal = std::move(text);
  return result;
}
DefaultValue literal(std::string text) { return literal(text, text); }

DefaultValue enumerator(std::string name, std::string value = "1") {
  DefaultValue result = evaluated(std::move(value));
  result.enumerator = std::move(name);
  return result;
}

DefaultValue list(std::vector<DefaultValue> elements) {
  DefaultValue result;
  result.elements = std::move(elements);
  return result;
}

DefaultValue initial() {
  DefaultValue result;
  result.is_initial = true;
  return result;
}

TEST(SchemaDefault, KeepsNumbersAsWritten) {
  EXPECT_EQ(converted("int", literal("1")), "1");
  EXPECT_EQ(converted("int", literal("- 1", "-1")), "-1");
  EXPECT_EQ(converted("float", literal("1.0")), "1.0");
  EXPECT_EQ(converted("float", literal("1e-5", "1e-05")), "1e-5");
  EXPECT_EQ(converted("float", literal("1", "1.0")), "1");
  EXPECT_EQ(converted("float", literal("-0.0")), "-0.0");
  EXPECT_EQ(converted("Scalar", literal("1")), "1");
  EXPECT_EQ(converted("Scalar", literal("0.125")), "0.125");
}

TEST(SchemaDefault, DropsWhatOnlyCppWrites) {
  EXPECT_EQ(converted("int", literal("100'000LL", "100000")), "100000");
  EXPECT_EQ(converted("float", literal("1.5f", "1.5")), "1.5");
  EXPECT_EQ(converted("float", literal("1'0.5", "10.5")), "10.5");
  EXPECT_EQ(converted("float", literal(".5", "0.5")), "0.5");
}

TEST(SchemaDefault, EvaluatesWhatIsNoLiteral) {
  EXPECT_EQ(converted("int", literal("0x10", "16")), "16");
  EXPECT_EQ(converted("float", literal("010", "8.0")), "8.0");
  EXPECT_EQ(converted("int", evaluated("4")), "4");
  EXPECT_EQ(converted("float", evaluated("0.125")), "0.125");
  EXPECT_EQ(converted("int", {}), unsupported);
  EXPECT_EQ(converted("float", evaluated("inf")), unsupported);
}

TEST(SchemaDefault, PrefersTheValueWhereALiteralSaysSomethingElse) {
  EXPECT_EQ(converted("float", literal("0.1f", "0.10000000149011612")), "0.10000000149011612");
  EXPECT_EQ(converted("float", literal("2.7", "2.0")), "2.0");  // double n = int(2.7)
  EXPECT_EQ(converted("Scalar", literal("2.7", "2")), "2");     // Scalar(int(2.7))
  EXPECT_EQ(converted("Scalar", literal("1", "1.0")), "1.0");   // Scalar(double(1))
  EXPECT_EQ(converted("int", literal("18446744073709551615u", "-1")), "-1");
}

TEST(SchemaDefault, RefusesIntegersThatSchemasCannotHold) {
  EXPECT_EQ(converted("int", literal("9223372036854775807")), "9223372036854775807");
  EXPECT_EQ(converted("Scalar", literal("18446744073709551615ull", "18446744073709551615")), unsupported);
}

TEST(SchemaDefault, CapitalisesBooleans) {
  EXPECT_EQ(converted("bool", evaluated("true")), "True");
  EXPECT_EQ(converted("bool", evaluated("false")), "False");
  EXPECT_EQ(converted("Scalar", evaluated("true")), "True");
  EXPECT_EQ(converted("bool", literal("\"yes\"", "yes")), unsupported);
}

TEST(SchemaDefault, SaysNoneForAnEmptyOptional) {
  for (const char* optional : {"Tensor?", "int?", "Scalar?", "int[]?", "ScalarType?", "Generator?", "Dimname[]?"}) {
    EXPECT_EQ(converted(optional, initial()), "None") << optional;
  }
  EXPECT_EQ(converted("float?", literal("1.0")), "1.0");
  EXPECT_EQ(converted("Tensor", initial()), unsupported);
  EXPECT_EQ(converted("int", initial()), unsupported);
}

TEST(SchemaDefault, TellsAnOptionalOfNothingFromAnEmptyOne) {
  EXPECT_EQ(converted("int[]?", list({})), "[]");          // IntArrayRef{}
  EXPECT_EQ(converted("Scalar?", list({})), "0");          // Scalar()
  EXPECT_EQ(converted("int?", evaluated("0")), "0");       // int64_t{}
  EXPECT_EQ(converted("Tensor?", list({})), unsupported);  // Tensor()
  EXPECT_EQ(converted("Scalar", initial()), "0");
  EXPECT_EQ(converted("str", initial()), "\"\"");
}

TEST(SchemaDefault, WritesListsWithoutBlanks) {
  EXPECT_EQ(converted("int[]", initial()), "[]");
  EXPECT_EQ(converted("int[]", list({literal("0"), evaluated("1")})), "[0,1]");
  EXPECT_EQ(converted("bool[3]", list({evaluated("true"), evaluated("false"), evaluated("true")})),
            "[True,False,True]");
  EXPECT_EQ(converted("float[]?", list({literal("1.0")})), "[1.0]");
  EXPECT_EQ(converted("str[]", list({literal("\"a,b\"", "a,b"), literal("\"c\"", "c")})), "[\"a,b\",\"c\"]");
  EXPECT_EQ(converted("Tensor?[]", list({initial(), initial()})), "[None,None]");
  EXPECT_EQ(converted("int[]", list({literal("1"), {}})), unsupported);
}

TEST(SchemaDefault, LetsOneNumberStandForAListOfFixedLength) {
  EXPECT_EQ(converted("int[2]", literal("0")), "0");
  EXPECT_EQ(converted("int[2]", list({literal("1"), literal("1")})), "[1,1]");
  EXPECT_EQ(converted("SymInt[1]?", literal("1")), "1");
  EXPECT_EQ(converted("int[]", literal("0")), "[0]");
}

TEST(SchemaDefault, QuotesStrings) {
  EXPECT_EQ(converted("str", literal("\"constant\"", "constant")), "\"constant\"");
  EXPECT_EQ(converted("str", literal("\"a\\?\"", "a?")), "\"a?\"");
  EXPECT_EQ(converted("str", literal(R"("a\tb")", "a\tb")), R"("a\tb")");
  EXPECT_EQ(converted("str", evaluated("ab")), "\"ab\"");
  EXPECT_EQ(converted("str", literal(R"x(R"(a"b\c)")x", R"(a"b\c)")), R"("a\"b\\c")");
  EXPECT_EQ(converted("str", literal(R"("\u00e9")", "é")), "\"é\"");
  EXPECT_EQ(converted("str?", literal("\"fro\"", "fro")), "\"fro\"");
  EXPECT_EQ(converted("str", evaluated(std::string("a\0b", 3))), unsupported);
}

TEST(SchemaDefault, KnowsEnumerators) {
  EXPECT_EQ(converted("int", enumerator("structured::Reduction::Mean")), "Mean");
  EXPECT_EQ(converted("int", enumerator("at::Reduction::Sum", "2")), "Sum");
  EXPECT_EQ(converted("MemoryFormat", enumerator("structured::MemoryFormat::Contiguous")), "contiguous_format");
  EXPECT_EQ(converted("MemoryFormat?", enumerator("c10::MemoryFormat::Preserve")), "preserve_format");
  EXPECT_EQ(converted("MemoryFormat?", enumerator("c10::MemoryFormat::ChannelsLast3d")), "channels_last_3d");
  EXPECT_EQ(converted("ScalarType", enumerator("structured::ScalarType::BFloat16")), "bfloat16");
  EXPECT_EQ(converted("ScalarType?", enumerator("structured::ScalarType::ComplexDouble")), "complex_double");
  EXPECT_EQ(converted("Layout", enumerator("structured::Layout::SparseCsr")), "sparse_csr");
  EXPECT_EQ(converted("Layout", enumerator("structured::Layout::Sparse")), "sparse_coo");
  EXPECT_EQ(converted("Device?", enumerator("structured::DeviceType::CPU")), "cpu");
  EXPECT_EQ(converted("ScalarType", enumerator("structured::ScalarType::Undefined")), unsupported);
  EXPECT_EQ(converted("ScalarType", evaluated("6")), unsupported);
}

TEST(SchemaDefault, TakesTheNumbersOfOtherEnumerators) {
  EXPECT_EQ(converted("int", enumerator("structured::Reduction::None", "0")), "0");
  EXPECT_EQ(converted("int", enumerator("own::Reduction::Mean", "9")), "9");
  EXPECT_EQ(converted("int", enumerator("own::Mode::kSlow", "3")), "3");
  EXPECT_EQ(converted("ScalarType", enumerator("own::ScalarType::Float", "3")), unsupported);
}

TEST(SchemaDefault, SurvivesAnyText) {
  for (const char* text :
       {"", "(", "{", "{,}", "\"", "\"\\", "\"\\\"", "[", "]", "[,", "[\"", "-", "--1", "1.e", "."}) {
    for (const char* schema_type : {"int", "float?", "str", "int[2]", "ScalarType", "Tensor?[]", "str[]"}) {
      schema_default(type(schema_type), {text, literal(text), {}});
      is_schema_default(type(schema_type), text);
    }
  }
}

TEST(IsSchemaDefault, AcceptsWhatSchemasWrite) {
  for (auto [schema_type, text] : {std::pair("int", "1"),
                                   {"int", "Mean"},
                                   {"float", "1e-05"},
                                   {"bool", "True"},
                                   {"Scalar", "1"},
                                   {"Scalar", "18446744073709551615"},
                                   {"int[2]", "1"},
                                   {"int[]", "[0,1]"},
                                   {"int[]", "[]"},
                                   {"Tensor?", "None"},
                                   {"str", "\"linear\""},
                                   {"str", "'none'"},
                                   {"str", "\"say \\\"no\\\"\""},
                                   {"str", "\"\\n\\0\\x7f\\377\""},
                                   {"str[]", "[\"a,]\",'b']"},
                                   {"ScalarType", "complex64"},
                                   {"Device", "cuda"},
                                   {"ScalarType", "long"},
                                   {"MemoryFormat?", "contiguous_format"}}) {
    EXPECT_TRUE(is_schema_default(type(schema_type), text)) << schema_type << " = " << text;
  }
}

TEST(IsSchemaDefault, RefusesValuesOfOtherTypes) {
  for (auto [schema_type, text] : {std::pair("int", "1.5"),
                                   {"int", "None"},
                                   {"bool", "true"},
                                   {"float", "Mean"},
                                   {"int[]", "1"},
                                   {"int[]", "[0,a b]"},
                                   {"Tensor", "None"},
                                   {"str", "linear"},
                                   {"str", "\"a\"b\""},
                                   {"str", "\"\\\""},
                                   {"str", "\"\\q\""},
                                   {"str", "\"\\x123\""},
                                   {"str", "\"a'"},
                                   {"int", "9223372036854775808"},
                                   {"float", "1e999"},
                                   {"ScalarType", "banana"},
                                   {"int", ""},
                                   {"int", " 1"},
                                   {"Scalar", "\"1\""}}) {
    EXPECT_FALSE(is_schema_default(type(schema_type), text)) << schema_type << " = " << text;
  }
}

}  // namespace
}  // namespace structured::gen
