#include "structured/schema/default_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "structured/schema/parse.h"

namespace structured::schema {
namespace {

std::optional<DefaultValue> parsed(std::string_view type, std::string_view text) {
  return parse_default(parse_type(type).value(), text);
}

template <class T>
T value(std::string_view type, std::string_view text) {
  const std::optional<DefaultValue> found = parsed(type, text);
  const T* const content = found ? found->as<T>() : nullptr;
  if (content == nullptr) {
    ADD_FAILURE() << type << " = " << text;
    return {};
  }
  return *content;
}

using Enumerator = DefaultValue::Enumerator;
using List = DefaultValue::List;

TEST(DefaultValue, OfEveryType) {
  EXPECT_EQ(value<int64_t>("int", "-3"), -3);
  EXPECT_EQ(value<int64_t>("SymInt?", "9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(value<double>("float", "1e-05"), 1e-05);
  EXPECT_EQ(value<double>("float", "1"), 1.0);
  EXPECT_EQ(value<double>("Scalar", "1."), 1.0);
  EXPECT_EQ(value<int64_t>("Scalar", "1"), 1);
  EXPECT_EQ(value<bool>("Scalar", "True"), true);
  EXPECT_EQ(value<bool>("bool", "False"), false);
  EXPECT_EQ(value<std::string>("str", "'a, b'"), "a, b");
  EXPECT_EQ(value<DefaultValue::None>("Tensor?", "None"), DefaultValue::None());
  EXPECT_EQ(value<List>("Tensor?[]", "[None, None]").size(), 2u);
  EXPECT_EQ(value<List>("int[2]", "[ 0,1 ]").size(), 2u);
  EXPECT_EQ(value<List>("float[]?", "[]").size(), 0u);
  EXPECT_EQ(value<int64_t>("int[2]?", "3"), 3);
  EXPECT_EQ(value<List>("bool[2]?", "[True,False]").size(), 2u);
  EXPECT_FALSE(parsed("bool[2]", "[True]"));
}

TEST(DefaultValue, OfScalarsThatInt64CannotHoldIsADouble) {
  EXPECT_EQ(value<int64_t>("Scalar", "9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(value<double>("Scalar", "9223372036854775808"), 9223372036854775808.0);
  EXPECT_EQ(value<double>("Scalar", "18446744073709551615"), 18446744073709551615.0);
  EXPECT_EQ(value<double>("Scalar?", "-99999999999999999999"), -1e20);
  EXPECT_FALSE(parsed("int", "9223372036854775808"));
  EXPECT_FALSE(parsed("Scalar", "012"));
}

TEST(DefaultValue, OfNumbersThatAreNotFinite) {
  for (const char* type : {"float", "Scalar", "float[1]"}) {
    EXPECT_EQ(value<double>(type, "inf"), INFINITY);
    EXPECT_EQ(value<double>(type, "-inf"), -INFINITY);
    EXPECT_TRUE(std::isnan(value<double>(type, "nan")));
  }
}

TEST(DefaultValue, OfEveryEnumeration) {
  EXPECT_EQ(value<Enumerator>("int", "Mean"), (Enumerator{"Reduction", "Mean"}));
  EXPECT_EQ(value<Enumerator>("ScalarType", "complex_float"), (Enumerator{"ScalarType", "ComplexFloat"}));
  EXPECT_EQ(value<Enumerator>("ScalarType?", "complex64"), (Enumerator{"ScalarType", "ComplexFloat"}));
  EXPECT_EQ(value<Enumerator>("MemoryFormat?", "channels_last"), (Enumerator{"MemoryFormat", "ChannelsLast"}));
  EXPECT_EQ(value<Enumerator>("Layout", "_mkldnn"), (Enumerator{"Layout", "Mkldnn"}));
  EXPECT_EQ(value<Enumerator>("Device?", "privateuseone"), (Enumerator{"DeviceType", "PrivateUse1"}));
}

TEST(DefaultValue, DecodesEscapeSequences) {
  EXPECT_EQ(value<std::string>("str", R"("a\tb\"c\\")"), "a\tb\"c\\");
  EXPECT_EQ(value<std::string>("str", R"("\377\xffg\0")"), std::string("\377\377g\0", 4));
  EXPECT_EQ(value<std::string>("str", R"("\x041\x0000fF\xA\1234")"), "\x41\xff\nS4");
  EXPECT_EQ(value<std::string>("str", R"('"\'')"), "\"'");
  EXPECT_EQ(value<std::string>("str", R"("\?\?=?")"), "\?\?=?");
  EXPECT_EQ(value<std::string>("str", "\"\xC3\xA9\""), "\xC3\xA9");
}

TEST(DefaultValue, IsRejectedForOtherTypes) {
  for (const auto& [type, text] : {std::pair("int", "1.5"),
                                   {"int", "None"},
                                   {"int", "012"},
                                   {"int", "-"},
                                   {"int", "many"},
                                   {"int", "9223372036854775808"},
                                   {"Scalar", "\"1\""},
                                   {"float", "1e999"},
                                   {"float", "Mean"},
                                   {"float", ".5"},
                                   {"float", "-infinity"},
                                   {"Scalar", "NaN"},
                                   {"float", "0x10"},
                                   {"bool", "true"},
                                   {"int[]", "1"},
                                   {"int[]", "[1, x]"},
                                   {"int[]", "[1"},
                                   {"int", "[1]"},
                                   {"int", ""},
                                   {"int", " 1"},
                                   {"int", "1 "},
                                   {"str", "linear"},
                                   {"str", "\""},
                                   {"str", R"("a"b")"},
                                   {"str", R"("\q")"},
                                   {"str", R"("\x")"},
                                   {"str", R"("\x123")"},
                                   {"str", R"("\400")"},
                                   {"str", "\"a\nb\""},
                                   {"str", "\"a'"},
                                   {"ScalarType", "banana"},
                                   {"Layout", "byte"},
                                   {"Tensor", "None"},
                                   {"Stream", "0"}}) {
    EXPECT_FALSE(parsed(type, text)) << type << " = " << text;
  }
}

TEST(DefaultValue, PrintsCanonicalText) {
  const auto canonical = [](std::string_view type, std::string_view text) {
    return to_string(parsed(type, text).value());
  };
  EXPECT_EQ(canonical("int[]", "[ 0, 1 ]"), "[0,1]");
  EXPECT_EQ(canonical("float", "1e-5"), "1e-5");
  EXPECT_EQ(canonical("str", "'say \"no\"'"), R"("say \"no\"")");
  EXPECT_EQ(canonical("str", R"('\x41\'\t\x011')"), R"("A'\t\021")");
  EXPECT_EQ(canonical("str", R"("\1\062")"), R"("\0012")");
  EXPECT_EQ(canonical("str[]", R"(['a', "b,"])"), R"(["a","b,"])");
  EXPECT_EQ(canonical("ScalarType", "complex64"), "complex_float");
  EXPECT_EQ(canonical("bool?", "None"), "None");
  EXPECT_EQ(canonical("bool[2]", "[True, False]"), "[True,False]");
}

TEST(DefaultValue, PrintsNumbersThatHaveNoTextByTheFewestDigits) {
  EXPECT_EQ(to_string(DefaultValue{int64_t{-3}, {}}), "-3");
  for (const auto& [number, text] :
       {std::pair(0.1, "0.1"), {2.0, "2.0"}, {1e-5, "1e-05"}, {1e300, "1e+300"}, {-INFINITY, "-inf"}, {NAN, "nan"}}) {
    EXPECT_EQ(to_string(DefaultValue{number, {}}), text);
    EXPECT_TRUE(parsed("Scalar", text)->as<double>()) << text;
  }
}

// The text of each byte in a string means the byte.
TEST(DefaultValue, StringsPrintAndParse) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string content{'7', static_cast<char>(byte), '7'};
    EXPECT_EQ(value<std::string>("str", to_string(DefaultValue{content, {}})), content) << byte;
  }
}

}  // namespace
}  // namespace structured::schema
