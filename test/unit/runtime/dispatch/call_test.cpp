#include "structured/dispatch/call.h"

#include <gtest/gtest.h>

#include <string>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/dispatch/boxed.h"
#include "structured/dispatch/default_value.h"
#include "structured/format/print.h"

namespace structured::call_test {
namespace {

using Pool = std::string(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, const Scalar& alpha,
                         std::string_view mode, std::optional<double> eps);
constexpr std::string_view pool_schema =
    "pool(Tensor self, int[2] kernel, int[2] stride=1, *, Scalar alpha=1, str mode=\"a, b\", float? eps=None) -> str";
std::string pool_cpu(const Tensor&, IntArrayRef kernel, IntArrayRef stride, const Scalar& alpha, std::string_view mode,
                     std::optional<double> eps) {
  return to_string(kernel) + to_string(stride) + to_string(alpha) + std::string(mode) +
         (eps ? std::to_string(*eps) : " none");
}
constinit Operator<Pool> op_pool{"test::pool", pool_schema, {{Backend::CPU, pool_cpu}}};
constexpr OperatorHandle pool{"test::pool", &op_pool, &call_boxed<op_pool>};

std::string call(Stack positional, std::vector<NamedValue> keywords = {}) {
  return std::string(call_operator(pool, std::move(positional), keywords).at(0).to_string_view());
}

std::string message_of(Stack positional, std::vector<NamedValue> keywords = {}) {
  try {
    call(std::move(positional), std::move(keywords));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const Tensor self = empty({1});

TEST(CallOperator, FillsInDefaults) { EXPECT_EQ(call({self, IntArrayRef({2, 3})}), "[2, 3][1, 1]1a, b none"); }

TEST(CallOperator, TakesKeywordsInAnyOrder) {
  EXPECT_EQ(call({self}, {{"eps", 0.5}, {"alpha", 2}, {"kernel", IntArrayRef({2, 3})}, {"mode", "m"}}),
            "[2, 3][1, 1]2m0.500000");
  EXPECT_EQ(call({}, {{"kernel", IntArrayRef({2, 3})}, {"self", self}, {"stride", IntArrayRef({4, 5})}}),
            "[2, 3][4, 5]1a, b none");
}

TEST(CallOperator, TakesBracesForKeywords) {
  EXPECT_EQ(call_operator(pool, {self, 3}, {{"eps", 10}}).at(0).to_string_view(), "[3, 3][1, 1]1a, b10.000000");
  EXPECT_EQ(call_operator(pool, {self, 3}, {{"alpha", 2}, {"mode", "m"}}).at(0).to_string_view(),
            "[3, 3][1, 1]2m none");
}

TEST(CallOperator, AnIntegerServesAsAListOfTheLengthAskedFor) { EXPECT_EQ(call({self, 3}), "[3, 3][1, 1]1a, b none"); }

TEST(CallOperator, ErrorsQuoteTheSchema) {
  const std::string schema = "; the schema is `" + std::string(pool_schema) + "`";
  EXPECT_EQ(message_of({self}), "`test::pool`: argument `kernel` is missing" + schema);
  EXPECT_EQ(message_of({self, 1, 1, 2}), "`test::pool`: expected at most 3 positional arguments, got 4" + schema);
  EXPECT_EQ(message_of({self, 1}, {{"beta", 2}}), "`test::pool`: there is no argument `beta`" + schema);
  EXPECT_EQ(message_of({self, 1}, {{"self", self}}), "`test::pool`: argument `self` is given twice" + schema);
  EXPECT_EQ(message_of({self, "text"}), "`test::pool`: argument 2 `kernel`: expected `int[]`, got `str`" + schema);
}

std::string default_of(std::string_view type, std::string_view text) {
  const std::optional<Value> value = detail::default_value(type, text);
  return value ? std::string(to_string(value->kind())) + " " + to_string(*value) : "nothing";
}

TEST(DefaultValue, OfEveryType) {
  EXPECT_EQ(default_of("int", "-3"), "int -3");
  EXPECT_EQ(default_of("int", "Mean"), "int 1");
  EXPECT_EQ(default_of("SymInt?", "9223372036854775807"), "int 9223372036854775807");
  EXPECT_EQ(default_of("float", "1e-05"), "float 1e-05");
  EXPECT_EQ(default_of("float", "inf"), "float inf");
  EXPECT_EQ(default_of("bool", "True"), "bool True");
  EXPECT_EQ(default_of("Scalar", "1.5"), "Scalar 1.5");
  EXPECT_EQ(default_of("Scalar", "1"), "Scalar 1");
  EXPECT_EQ(default_of("str", "\"a\\\"b\""), "str \"a\\\"b\"");
  EXPECT_EQ(default_of("ScalarType", "long"), "ScalarType Long");
  EXPECT_EQ(default_of("Device?", "cpu"), "Device cpu");
  EXPECT_EQ(default_of("ScalarType", "complex_float"), "ScalarType ComplexFloat");
  EXPECT_EQ(default_of("Device", "privateuseone"), "Device privateuseone");
  EXPECT_EQ(default_of("Layout", "strided"), "Layout Strided");
  EXPECT_EQ(default_of("Layout", "sparse_coo"), "Layout Sparse");
  EXPECT_EQ(default_of("Tensor?", "None"), "None None");
  EXPECT_EQ(default_of("int[2]", "[0,1]"), "int[] [0, 1]");
  EXPECT_EQ(default_of("int[]", "[]"), "int[] []");
  EXPECT_EQ(default_of("float[]?", "[1, 0.5]"), "float[] [1.0, 0.5]");
  EXPECT_EQ(default_of("bool[2]", "[True, False]"), "bool[] [True, False]");
  EXPECT_EQ(default_of("ScalarType", "qint8"), "ScalarType QInt8");
  EXPECT_EQ(default_of("ScalarType", "quint8"), "ScalarType QUInt8");
  EXPECT_EQ(default_of("ScalarType", "qint32"), "ScalarType QInt32");
  EXPECT_EQ(default_of("ScalarType?", "quint4x2"), "ScalarType QUInt4x2");
  EXPECT_EQ(default_of("ScalarType", "quint2x4"), "ScalarType QUInt2x4");
  EXPECT_EQ(default_of("str[]", "[]"), "str[] []");
  EXPECT_EQ(default_of("str[]", R"(["a,b", "\"c"])"), R"(str[] ["a,b", "\"c"])");
  EXPECT_EQ(default_of("Tensor[]", "[]"), "Tensor[] []");
  EXPECT_EQ(default_of("Tensor(a!)[]", "[]"), "Tensor[] []");
  EXPECT_EQ(default_of("Tensor?[]", "[]"), "Tensor?[] []");
  EXPECT_EQ(default_of("Dimname[]?", "[]"), "Dimname[] []");
  EXPECT_EQ(default_of("MemoryFormat?", "channels_last"), "MemoryFormat ChannelsLast");
  EXPECT_EQ(default_of("Tensor?[]", "[None, None]"), "Tensor?[] [None, None]");
  EXPECT_EQ(default_of("int[2]", "3"), "int 3");
  EXPECT_EQ(default_of("bool[2]", "True"), "bool[] [True, True]");
}

TEST(DefaultValue, ReadsEscapeSequencesOfStrings) {
  const auto string_of = [](std::string_view text) {
    return std::string(detail::default_value("str", text)->to_string_view());
  };
  EXPECT_EQ(string_of(R"("a\tb\"c\\")"), "a\tb\"c\\");
  EXPECT_EQ(string_of(R"("\377\xffg\0")"), std::string("\377\377g\0", 4));
  EXPECT_EQ(string_of(R"("\x041\x0000fF\xA")"), "A\xff\n");
  EXPECT_EQ(string_of(R"('"')"), "\"");
}

TEST(DefaultValue, IsNoneWhereThereIsNone) {
  EXPECT_EQ(default_of("int", ""), "nothing");
  EXPECT_EQ(default_of("int", "many"), "nothing");
  EXPECT_EQ(default_of("int[]", "[1, x]"), "nothing");
  EXPECT_EQ(default_of("Stream", "0"), "nothing");
  EXPECT_EQ(default_of("Tensor[]", "[1]"), "nothing");
  EXPECT_EQ(default_of("str[]", "[a]"), "nothing");
  EXPECT_EQ(default_of("str", R"("\x")"), "nothing");
  EXPECT_EQ(default_of("str", R"("\")"), "nothing");
  EXPECT_EQ(default_of("int[][]", "[[1]]"), "nothing");
  EXPECT_EQ(default_of("Tensr", "1"), "nothing");
}

}  // namespace
}  // namespace structured::call_test
