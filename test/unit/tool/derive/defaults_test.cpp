// C++ default arguments, as schemas print them.
#include <gtest/gtest.h>

#include "llvm/Support/Error.h"
#include "model/schema.h"
#include "model/schema_default.h"

namespace structured::gen {
namespace {

Type type(llvm::StringRef text) { return llvm::cantFail(parse_type(text)); }

/// What Clang evaluates the text to is `value`.
std::string converted(llvm::StringRef schema_type, std::string text, std::optional<std::string> value = std::nullopt) {
  return schema_default(type(schema_type), {std::move(text), std::move(value), {}}).value_or("(unsupported)");
}

constexpr const char* unsupported = "(unsupported)";

TEST(schema_default, keeps_numbers_as_written) {
  EXPECT_EQ(converted("int", "1"), "1");
  EXPECT_EQ(converted("int", "-1"), "-1");
  EXPECT_EQ(converted("int", "- 1"), "-1");
  EXPECT_EQ(converted("float", "1.0"), "1.0");
  EXPECT_EQ(converted("float", "1e-05"), "1e-05");
  EXPECT_EQ(converted("float", "0.3333333333333333"), "0.3333333333333333");
  EXPECT_EQ(converted("float", "1"), "1");
  EXPECT_EQ(converted("Scalar", "1"), "1");
  EXPECT_EQ(converted("Scalar", "0.125"), "0.125");
}

TEST(schema_default, drops_what_only_cpp_writes) {
  EXPECT_EQ(converted("int", "100'000LL"), "100000");
  EXPECT_EQ(converted("float", "1.5f"), "1.5");
  EXPECT_EQ(converted("float", "(2.0)"), "2.0");
  EXPECT_EQ(converted("Scalar", "Scalar(1)"), "1");
  EXPECT_EQ(converted("Scalar", "at::Scalar{0.5}"), "0.5");
  EXPECT_EQ(converted("int", "int64_t(3)"), "3");
}

TEST(schema_default, evaluates_what_is_no_literal) {
  EXPECT_EQ(converted("int", "0x10", "16"), "16");
  EXPECT_EQ(converted("int", "kDefaultGroups", "4"), "4");
  EXPECT_EQ(converted("float", "1.0 / 8", "0.125"), "0.125");
  EXPECT_EQ(converted("int", "kUnknown"), unsupported);
}

TEST(schema_default, capitalises_booleans) {
  EXPECT_EQ(converted("bool", "true", "true"), "True");
  EXPECT_EQ(converted("bool", "false", "false"), "False");
  EXPECT_EQ(converted("bool", "kKeep", "true"), "True");
  EXPECT_EQ(converted("Scalar", "true", "true"), "True");
  EXPECT_EQ(converted("bool", "\"yes\"", "yes"), unsupported);
}

TEST(schema_default, says_none_for_an_empty_optional) {
  for (const char* optional : {"Tensor?", "int?", "Scalar?", "int[]?", "ScalarType?", "Generator?", "Dimname[]?"}) {
    EXPECT_EQ(converted(optional, "std::nullopt"), "None") << optional;
    EXPECT_EQ(converted(optional, "c10::nullopt"), "None") << optional;
    EXPECT_EQ(converted(optional, "{}"), "None") << optional;
  }
  EXPECT_EQ(converted("Tensor?", "std::optional<Tensor>()"), "None");
  EXPECT_EQ(converted("float?", "1.0"), "1.0");
  EXPECT_EQ(converted("Tensor", "{}"), unsupported);
  EXPECT_EQ(converted("int", "std::nullopt"), unsupported);
}

TEST(schema_default, writes_lists_without_blanks) {
  EXPECT_EQ(converted("int[]", "{}"), "[]");
  EXPECT_EQ(converted("int[]", "{0, 1}"), "[0,1]");
  EXPECT_EQ(converted("int[]", "{ -2, -1 }"), "[-2,-1]");
  EXPECT_EQ(converted("int[]", "IntArrayRef{0, 1}"), "[0,1]");
  EXPECT_EQ(converted("int[]", "IntArrayRef({0, 1})"), "[0,1]");
  EXPECT_EQ(converted("int[]", "IntArrayRef()"), "[]");
  EXPECT_EQ(converted("bool[3]", "{true, false, true}"), "[True,False,True]");
  EXPECT_EQ(converted("float[]?", "{1.0}"), "[1.0]");
  EXPECT_EQ(converted("int[]", "{a, b}"), unsupported);
}

TEST(schema_default, lets_one_number_stand_for_a_list_of_fixed_length) {
  EXPECT_EQ(converted("int[2]", "0", "0"), "0");
  EXPECT_EQ(converted("int[2]", "{1, 1}"), "[1,1]");
  EXPECT_EQ(converted("SymInt[1]?", "1", "1"), "1");
  EXPECT_EQ(converted("int[]", "0", "0"), "[0]");
}

TEST(schema_default, quotes_strings) {
  EXPECT_EQ(converted("str", "\"constant\"", "constant"), "\"constant\"");
  EXPECT_EQ(converted("str", "\"a\" \"b\"", "ab"), "\"ab\"");
  EXPECT_EQ(converted("str", "kMode", "say \"no\""), "\"say \\\"no\\\"\"");
  EXPECT_EQ(converted("str?", "\"fro\"", "fro"), "\"fro\"");
  EXPECT_EQ(converted("str", "kMode", std::string("a\0b", 3)), unsupported);
}

TEST(schema_default, knows_enumerators) {
  EXPECT_EQ(converted("int", "Reduction::Mean", "1"), "Mean");
  EXPECT_EQ(converted("int", "at::Reduction::Sum", "2"), "Sum");
  EXPECT_EQ(converted("MemoryFormat", "MemoryFormat::Contiguous", "0"), "contiguous_format");
  EXPECT_EQ(converted("MemoryFormat?", "at::MemoryFormat::Preserve"), "preserve_format");
  EXPECT_EQ(converted("MemoryFormat?", "MemoryFormat::ChannelsLast3d"), "channels_last_3d");
  EXPECT_EQ(converted("ScalarType", "kFloat"), "float");
  EXPECT_EQ(converted("ScalarType", "at::kLong"), "long");
  EXPECT_EQ(converted("ScalarType", "ScalarType::BFloat16"), "bfloat16");
  EXPECT_EQ(converted("ScalarType?", "kComplexDouble"), "complex_double");
  EXPECT_EQ(converted("Layout?", "kStrided"), "strided");
  EXPECT_EQ(converted("Layout", "Layout::SparseCsr"), "sparse_csr");
  EXPECT_EQ(converted("Device?", "kCPU"), "cpu");
  EXPECT_EQ(converted("MemoryFormat", "kContiguous"), unsupported);
  EXPECT_EQ(converted("ScalarType", "chosen_dtype()"), unsupported);
}

TEST(schema_default, survives_any_text) {
  for (const char* text :
       {"", "(", ")", "{", "}", "{,}", "\"", "\"\\", "a<b", "a<b>(", "::", "-", "--1", "1.e", "{{}}"}) {
    for (const char* schema_type : {"int", "float?", "str", "int[2]", "ScalarType", "Tensor?[]"}) {
      schema_default(type(schema_type), {text, std::nullopt, {}});
      is_schema_default(type(schema_type), text);
    }
  }
}

TEST(is_schema_default, accepts_what_schemas_write) {
  for (auto [schema_type, text] : {std::pair("int", "1"),
                                   {"int", "Mean"},
                                   {"float", "1e-05"},
                                   {"bool", "True"},
                                   {"Scalar", "1"},
                                   {"int[2]", "1"},
                                   {"int[]", "[0,1]"},
                                   {"int[]", "[]"},
                                   {"Tensor?", "None"},
                                   {"str", "\"linear\""},
                                   {"str", "'none'"},
                                   {"ScalarType", "long"},
                                   {"MemoryFormat?", "contiguous_format"}}) {
    EXPECT_TRUE(is_schema_default(type(schema_type), text)) << schema_type << " = " << text;
  }
}

TEST(is_schema_default, refuses_values_of_other_types) {
  for (auto [schema_type, text] : {std::pair("int", "1.5"),
                                   {"int", "None"},
                                   {"bool", "true"},
                                   {"float", "Mean"},
                                   {"int[]", "1"},
                                   {"int[]", "[0,a b]"},
                                   {"Tensor", "None"},
                                   {"str", "linear"},
                                   {"int", ""},
                                   {"int", " 1"},
                                   {"Scalar", "\"1\""}}) {
    EXPECT_FALSE(is_schema_default(type(schema_type), text)) << schema_type << " = " << text;
  }
}

}  // namespace
}  // namespace structured::gen
