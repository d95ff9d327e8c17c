// ONNX functions of scalar functions: bytes, formulas, translation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emit/onnx/formula.h"
#include "emit/onnx/model.h"
#include "emit/onnx/translation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "model/scalar_graph_builder.h"

namespace structured::gen {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// The examples of https://protobuf.dev/programming-guides/encoding.
TEST(Protobuf, Fields) {
  ProtobufMessage message;
  message.integer(1, 150);
  EXPECT_EQ(message.text(), "\x08\x96\x01");
  ProtobufMessage outer;
  outer.message(3, message);
  outer.bytes(2, "testing");
  EXPECT_EQ(outer.text(), "\x1a\x03\x08\x96\x01\x12\x07testing");
  ProtobufMessage negative;
  negative.integer(25, -2);
  EXPECT_EQ(negative.text(), "\xc8\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(OnnxModel, BytesOfAFunction) {
  OnnxFunction function;
  function.domain = "my";
  function.name = "f";
  function.inputs = {"x"};
  function.attributes = {{"k", ScalarValue{ScalarType::int64, 3}}};
  function.nodes = {{.kind = OnnxNode::Kind::input, .name = "x"},
                    {.kind = OnnxNode::Kind::attribute, .name = "k"},
                    {.kind = OnnxNode::Kind::cast, .operands = {1}},
                    {.name = "Mod", .operands = {0, 2}, .attribute = "fmod", .integer = 1}};
  EXPECT_EQ(function_message(function).text(),
            "\x0a\x01"
            "f"          // name
            "\x22\x01x"  // input
            "\x3a\x22"   // node: value1 = Constant<value = @k>()
            "\x12\x06value1\x22\x08"
            "Constant\x2a\x0e"
            "\x0a\x05value\xa0\x01\x04\xaa\x01\x01k"
            "\x3a\x1d"  // node: value2 = CastLike(value1, x)
            "\x0a\x06value1\x0a\x01x\x12\x06value2\x22\x08"
            "CastLike"
            "\x3a\x25"  // node: value3 = Mod<fmod = 1>(x, value2)
            "\x0a\x01x\x0a\x06value2\x12\x06value3\x22\x03Mod\x2a\x0b"
            "\x0a\x04"
            "fmod\xa0\x01\x02\x18\x01"
            "\x2a\x06value3"            // output
            "\x42\x00"                  // doc_string
            "\x4a\x04\x0a\x00\x10\x12"  // opset_import
            "\x52\x02my"                // domain
            "\x5a\x14"                  // attribute_proto
            "\x0a\x01k\xa0\x01\x04\x2a\x0c"
            "\x10\x07\x4a\x08\x03\0\0\0\0\0\0\0"s);
}

TEST(OnnxModel, InputsDoNotHideValues) {
  OnnxFunction function;
  function.inputs = {"value0"};
  function.nodes = {{.kind = OnnxNode::Kind::input, .name = "value0"}, {.name = "Neg", .operands = {0}}};
  EXPECT_THAT(function_message(function).text(), HasSubstr("\x12\x07value_1"));
}

std::string text_of(const std::vector<OnnxNode>& nodes, int64_t index) {
  const OnnxNode& node = nodes[static_cast<std::size_t>(index)];
  std::vector<std::string> operands;
  for (const int64_t operand : node.operands) operands.push_back(text_of(nodes, operand));
  const std::string type = node.type ? name_of(*node.type).str() : "T";
  switch (node.kind) {
    case OnnxNode::Kind::input:
    case OnnxNode::Kind::attribute:
      return node.name;
    case OnnxNode::Kind::constant:
      return type + " " + to_text(node.number);
    case OnnxNode::Kind::cast:
      return type + "(" + operands.front() + ")";
    case OnnxNode::Kind::operation:
      return node.name + "(" + llvm::join(operands, ", ") + ")";
  }
  return "";
}

/// The nodes of an operation of inputs `a`, `b`, `c` of one type, where elements have the type `element`.
std::string formula(ScalarOp op, ScalarType type, ScalarType element) {
  OnnxGraphBuilder builder(element);
  std::vector<int64_t> operands;
  for (unsigned i = 0; i < facts_of(op).operands; ++i) operands.push_back(builder.input(std::string(1, "abc"[i])));
  const std::optional<int64_t> result = add_operation(builder, op, type, operands);
  if (!result) return "";
  return text_of(builder.take(), *result);
}

TEST(OnnxFormula, IsOneOperatorOrSeveral) {
  EXPECT_EQ(formula(ScalarOp::add, ScalarType::float32, ScalarType::float32), "Add(a, b)");
  EXPECT_EQ(formula(ScalarOp::trunc, ScalarType::float32, ScalarType::float32),
            "Where(Less(a, T 0), Ceil(a), Floor(a))");
  EXPECT_EQ(formula(ScalarOp::trunc, ScalarType::float64, ScalarType::float32),
            "Where(Less(a, float64 0), Ceil(a), Floor(a))");
  EXPECT_EQ(formula(ScalarOp::log2, ScalarType::float32, ScalarType::float32),
            "T(Div(Log(float64(a)), float64 0.6931471805599453))");
  EXPECT_EQ(formula(ScalarOp::log2, ScalarType::float64, ScalarType::float64),
            "T(Div(Log(float64(a)), float64 0.6931471805599453))");
  EXPECT_EQ(formula(ScalarOp::j0, ScalarType::float64, ScalarType::float64), "");
}

TEST(OnnxFormula, StoresWideUnsignedIntegersInSignedOnes) {
  EXPECT_EQ(formula(ScalarOp::add, ScalarType::uint32, ScalarType::int32), "Add(a, b)");
  EXPECT_EQ(formula(ScalarOp::lt, ScalarType::uint32, ScalarType::int64),
            "Less(BitwiseXor(a, int32 -2147483648), BitwiseXor(b, int32 -2147483648))");
  EXPECT_EQ(formula(ScalarOp::shift_right, ScalarType::uint64, ScalarType::int64), "T(BitShift(uint64(a), uint64(b)))");
  EXPECT_EQ(formula(ScalarOp::shift_left, ScalarType::uint8, ScalarType::uint8), "BitShift(a, b)");
  EXPECT_EQ(formula(ScalarOp::div, ScalarType::uint32, ScalarType::int32), "");
}

TEST(OnnxFormula, EveryRowIsWellFormed) {
  for (const ScalarType type : {ScalarType::boolean, ScalarType::int64, ScalarType::uint32, ScalarType::float64}) {
    for (std::size_t i = 0; i < scalar_ops().size(); ++i) formula(static_cast<ScalarOp>(i), type, type);
  }
  EXPECT_THAT(formula(ScalarOp::erfc, ScalarType::float64, ScalarType::float64), HasSubstr("Exp("));
}

TEST(OnnxGraphBuilder, CastsKeepTheValueOfUnsignedIntegers) {
  const auto cast = [](ScalarType from, ScalarType to) {
    OnnxGraphBuilder builder(ScalarType::float32);
    const int64_t result = builder.cast(builder.input("a"), from, to);
    return text_of(builder.take(), result);
  };
  EXPECT_EQ(cast(ScalarType::int32, ScalarType::uint32), "a");
  EXPECT_EQ(cast(ScalarType::uint32, ScalarType::int16), "int16(a)");
  EXPECT_EQ(cast(ScalarType::uint32, ScalarType::int64), "int64(uint32(a))");
  EXPECT_EQ(cast(ScalarType::uint64, ScalarType::float64), "float64(uint64(a))");
  EXPECT_EQ(cast(ScalarType::float64, ScalarType::uint64), "int64(uint64(a))");
  EXPECT_EQ(cast(ScalarType::int8, ScalarType::float32), "T(a)");
}

class OnnxTranslation : public testing::Test {
 protected:
  Pointwise& add_operator(const char* schema) {
    library_.schema_namespace = "my";
    Operator& op = library_.operators.emplace_back();
    op.variants.emplace_back().schema = llvm::cantFail(parse_schema(schema));
    return op.pointwise.emplace();
  }
  static std::vector<std::string> names(const OnnxFunctions& functions) {
    std::vector<std::string> result;
    for (const OnnxFunction& function : functions.functions) result.push_back(function.name);
    return result;
  }
  static std::string body(const OnnxFunction& function) {
    return text_of(function.nodes, static_cast<int64_t>(function.nodes.size()) - 1);
  }

  Library library_;
};

// self + number, in the type of the elements.
ScalarBody sum(const char* dtype, ScalarType type, double number) {
  ScalarGraphBuilder builder;
  const auto self = builder.input({"self", type});
  const auto sum = builder.make(ScalarOp::add, {self, builder.cast(builder.constant(number), type)});
  return {dtype, "", builder.graph_of(sum), "", {}};
}

TEST_F(OnnxTranslation, TypesWithOneFunctionShareIt) {
  Pointwise& pointwise = add_operator("more.Tensor(Tensor self) -> Tensor");
  pointwise.roles = {Pointwise::Role::element};
  pointwise.bodies = {sum("float", ScalarType::float32, 0.1), sum("double", ScalarType::float64, 0.1),
                      sum("int", ScalarType::int32, 7)};
  const OnnxFunctions functions = translate_to_onnx(library_);
  EXPECT_THAT(names(functions), ElementsAre("more_Tensor", "more_Tensor_int32"));
  EXPECT_EQ(functions.functions[0].domain, "my");
  EXPECT_EQ(functions.functions[0].documentation, "Elements: float32, float64.");
  EXPECT_EQ(body(functions.functions[0]), "Identity(Add(self, T 0.1))");
  EXPECT_EQ(body(functions.functions[1]), "Identity(Add(self, T 7))");
}

TEST_F(OnnxTranslation, OptionalNumbersAreTensorsWithAtMostOneElement) {
  Pointwise& pointwise = add_operator("at_most(Tensor self, float? most=None) -> Tensor");
  pointwise.roles = {Pointwise::Role::element, Pointwise::Role::value};
  ScalarGraphBuilder builder;
  const auto self = builder.input({"self", ScalarType::float64});
  const auto has = builder.input({"most", ScalarType::boolean, true});
  const auto most = builder.input({"most", ScalarType::float64});
  const auto result = builder.select(has, builder.make(ScalarOp::fmin, {self, most}), self);
  pointwise.bodies = {{"double", "", builder.graph_of(result), "", {}}};
  const OnnxFunctions functions = translate_to_onnx(library_);
  ASSERT_EQ(functions.functions.size(), 1u);
  EXPECT_THAT(functions.functions[0].inputs, ElementsAre("self"));
  EXPECT_EQ(functions.functions[0].attributes[0].number, std::nullopt);
  EXPECT_THAT(body(functions.functions[0]), HasSubstr("Where(boolean(Size(most)), Where("));
  EXPECT_THAT(body(functions.functions[0]), HasSubstr("T(ReduceSum(most))"));
}

TEST_F(OnnxTranslation, ResultsHaveTheShapeOfAllTensors) {
  Pointwise& pointwise = add_operator("first(Tensor self, Tensor other) -> Tensor");
  pointwise.roles = {Pointwise::Role::element, Pointwise::Role::element};
  ScalarGraphBuilder builder;
  const auto self = builder.input({"self", ScalarType::float32});
  builder.input({"other", ScalarType::float32});
  pointwise.bodies = {{"float", "", builder.graph_of(self), "", {}}};
  EXPECT_EQ(body(translate_to_onnx(library_).functions.front()), "Identity(Expand(self, Shape(other)))");
}

TEST_F(OnnxTranslation, RefusalsHaveReasons) {
  Pointwise& pointwise = add_operator("more(Tensor self) -> Tensor");
  pointwise.roles = {Pointwise::Role::element};
  pointwise.bodies = {{"float", "", std::nullopt, "has a loop", {"more.h", {3, 1}, {3, 2}}},
                      {"double", "", std::nullopt, "has a loop", {"more.h", {3, 1}, {3, 2}}}};
  const OnnxFunctions functions = translate_to_onnx(library_);
  EXPECT_THAT(functions.functions, testing::IsEmpty());
  ASSERT_EQ(functions.refusals.size(), 1u);
  EXPECT_EQ(functions.refusals[0].name, "my::more");
  EXPECT_THAT(functions.refusals[0].types, ElementsAre("float32", "float64"));
  EXPECT_EQ(functions.refusals[0].reason, "has a loop");
}

}  // namespace
}  // namespace structured::gen
