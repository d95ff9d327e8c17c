#include "structured/dispatch/signature.h"

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>

#include "structured/dispatch/operator.h"

namespace structured {
namespace {

void nothing() {}

OperatorSignature signature_of_text(const char* schema) {
  // Operators live as long as the process.
  static auto& operators = *new std::deque<Operator<void()>>;
  const std::initializer_list<Operator<void()>::Entry> kernels = {{Backend::CPU, nothing}};
  auto& op = operators.emplace_back("test::op", schema, kernels);
  return signature_of({"test::op", &op, nullptr});
}

TEST(SignatureOf, ReadsKindsOfSchemaTypes) {
  const std::vector<Parameter> found =
      signature_of_text(
          "op(Tensor(a!) self, Tensor?[] indices, SymInt[2]? size, float p=0.5, *, ScalarType? dtype=None, bool[3] m, "
          "str[] s, Generator? g=None) -> (Tensor(a!), Tensor[] others)")
          .arguments;
  ASSERT_EQ(found.size(), 8);
  const Value::Kind kinds[] = {Value::Kind::tensor,      Value::Kind::optional_tensor_list,
                               Value::Kind::int_list,    Value::Kind::floating,
                               Value::Kind::scalar_type, Value::Kind::bool_list,
                               Value::Kind::string_list, Value::Kind::generator};
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].kind, kinds[i]) << i;
    EXPECT_EQ(found[i].is_keyword_only, i >= 4) << i;
    EXPECT_EQ(found[i].is_optional, i == 2 || i == 4 || i == 7) << i;
    EXPECT_EQ(found[i].is_mutable, i == 0) << i;
    EXPECT_EQ(found[i].length, i == 2 ? 2 : i == 5 ? 3 : 0) << i;
  }
  EXPECT_TRUE(found[0].is_alias);
  EXPECT_EQ(found[3].default_value->to_double(), 0.5);
  EXPECT_TRUE(found[4].default_value->is(Value::Kind::none));
  EXPECT_FALSE(found[0].default_value.has_value());
}

TEST(SignatureOf, ReadsResults) {
  const std::vector<Parameter> found = signature_of_text("op(Tensor(a) self) -> (Tensor(a) view, Tensor[])").results;
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].name, "view");
  EXPECT_TRUE(found[0].is_alias);
  EXPECT_EQ(found[1].kind, Value::Kind::tensor_list);
  EXPECT_FALSE(found[1].is_alias);
}

TEST(SignatureOf, PrefersConstantLists) {
  static constexpr ParameterData parameters[] = {
      {"size", Value::Kind::int_list, false, false, false, true, 2, [] { return Value(7); }},
      {"out", Value::Kind::tensor, false, true, true, true},
      {"", Value::Kind::tensor},
  };
  const OperatorSignature found = signature_of({"test::op", nullptr, nullptr, nullptr, {parameters, 2, 1}});
  ASSERT_EQ(found.arguments.size(), 2);
  EXPECT_EQ(found.arguments[0].length, 2);
  EXPECT_EQ(found.arguments[0].default_value->to_int(), 7);
  EXPECT_TRUE(found.arguments[1].is_mutable);
  EXPECT_EQ(found.results.size(), 1);
}

}  // namespace
}  // namespace structured
