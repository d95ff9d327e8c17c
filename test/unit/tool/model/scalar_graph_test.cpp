#include "model/scalar_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/fragment_json.h"
#include "model/scalar_graph_builder.h"
#include "model/scalar_graph_text.h"

namespace structured::gen {
namespace {

using Node = ScalarGraphBuilder::Node;

class ScalarGraphTest : public testing::Test {
 protected:
  Node input(const char* name, ScalarType type) { return builder_.input({name, type}); }
  std::string text(Node node) { return statements_of(builder_.graph_of(node)).back(); }

  ScalarGraphBuilder builder_;
};

TEST_F(ScalarGraphTest, EqualOperationsAreOneNode) {
  const Node x = input("x", ScalarType::float32);
  EXPECT_EQ(builder_.make(ScalarOp::add, {x, x}), builder_.make(ScalarOp::add, {x, x}));
  EXPECT_NE(builder_.make(ScalarOp::add, {x, x}), builder_.make(ScalarOp::mul, {x, x}));
  EXPECT_NE(builder_.constant(0.0f), builder_.constant(-0.0f));
}

TEST_F(ScalarGraphTest, ExactOperationsOnConstantsFold) {
  EXPECT_EQ(builder_.make(ScalarOp::add, {builder_.constant(1.5f), builder_.constant(2.0f)}), builder_.constant(3.5f));
  EXPECT_EQ(builder_.cast(builder_.constant(-1), ScalarType::uint8), builder_.constant(uint8_t{255}));
  // Libraries differ in the last bits of exp.
  EXPECT_FALSE(builder_.is_constant(builder_.make(ScalarOp::exp, {builder_.constant(1.0f)})));
}

TEST_F(ScalarGraphTest, SimplificationsKeepEveryBit) {
  const Node x = input("x", ScalarType::float32);
  const Node i = input("i", ScalarType::int32);
  EXPECT_EQ(builder_.make(ScalarOp::mul, {x, builder_.constant(1.0f)}), x);
  EXPECT_EQ(builder_.make(ScalarOp::add, {x, builder_.constant(-0.0f)}), x);
  EXPECT_NE(builder_.make(ScalarOp::add, {x, builder_.constant(0.0f)}), x);  // -0 + 0 is 0
  EXPECT_NE(builder_.make(ScalarOp::mul, {x, builder_.constant(0.0f)}), builder_.constant(0.0f));
  EXPECT_EQ(builder_.make(ScalarOp::mul, {i, builder_.constant(0)}), builder_.constant(0));
  EXPECT_EQ(text(builder_.negation(builder_.make(ScalarOp::lt, {i, builder_.constant(0)}))), "return ge(i, 0)");
  // A comparison with NaN is false, and so is the opposite one.
  EXPECT_EQ(text(builder_.negation(builder_.make(ScalarOp::lt, {x, builder_.constant(0.0f)}))),
            "return bit_not(lt(x, 0))");
}

TEST_F(ScalarGraphTest, SelectionsOfBooleansAreLogic) {
  const Node a = input("a", ScalarType::boolean);
  const Node b = input("b", ScalarType::boolean);
  EXPECT_EQ(text(builder_.select(a, b, builder_.constant(false))), "return bit_and(a, b)");
  EXPECT_EQ(text(builder_.select(a, builder_.constant(true), b)), "return bit_or(a, b)");
  EXPECT_EQ(builder_.select(a, b, b), b);
  EXPECT_EQ(builder_.conjunction(a, builder_.negation(a)), builder_.constant(false));
}

TEST_F(ScalarGraphTest, ComparisonsOfPromotedNumbersAreOfTheirOwnType) {
  const Node x = input("x", ScalarType::int8);
  const Node promoted = builder_.cast(x, ScalarType::int32);
  EXPECT_EQ(text(builder_.make(ScalarOp::gt, {promoted, builder_.constant(5)})), "return gt(x, 5)");
  EXPECT_EQ(text(builder_.make(ScalarOp::gt, {promoted, builder_.constant(500)})), "return gt(cast<int32>(x), 500)");
}

TEST_F(ScalarGraphTest, LeavesOffNodesWithoutUse) {
  const Node x = input("x", ScalarType::float32);
  builder_.make(ScalarOp::exp, {x});
  const ScalarGraph graph = builder_.graph_of(builder_.make(ScalarOp::neg, {x}));
  EXPECT_EQ(graph.nodes.size(), 2);
  EXPECT_EQ(graph.operation_count(), 1);
  EXPECT_EQ(fault_in(graph), "");
}

TEST_F(ScalarGraphTest, WritesSharedOperationsOnce) {
  const Node x = input("x", ScalarType::float64);
  const Node e = builder_.make(ScalarOp::exp, {x});
  const std::vector<std::string> expected{"t0 = exp(x)", "return mul(t0, add(t0, 2))"};
  EXPECT_EQ(statements_of(builder_.graph_of(
                builder_.make(ScalarOp::mul, {e, builder_.make(ScalarOp::add, {e, builder_.constant(2.0)})}))),
            expected);
}

TEST(ScalarEvaluation, IntegersWrapAroundAndDoNotTrap) {
  using Limits = std::numeric_limits<int32_t>;
  const auto of = [](ScalarOp op, int32_t a, int32_t b) {
    return number_of<int32_t>(evaluate(op, ScalarType::int32, {scalar_value(a), scalar_value(b)}));
  };
  EXPECT_EQ(of(ScalarOp::add, Limits::max(), 1), Limits::min());
  EXPECT_EQ(of(ScalarOp::div, Limits::min(), -1), Limits::min());
  EXPECT_EQ(of(ScalarOp::div, 7, 0), 0);
  EXPECT_EQ(of(ScalarOp::rem, -7, 3), -1);
  EXPECT_EQ(of(ScalarOp::shift_right, -8, 1), -4);
  EXPECT_EQ(of(ScalarOp::shift_left, 1, 40), 0);
}

TEST(ScalarEvaluation, CastsSaturate) {
  const auto cast = [](double number, ScalarType type) {
    return to_text(evaluate(ScalarOp::cast, type, scalar_value(number)));
  };
  EXPECT_EQ(cast(1e30, ScalarType::int64), "9223372036854775807");
  EXPECT_EQ(cast(-3.7, ScalarType::int8), "-3");
  EXPECT_EQ(cast(NAN, ScalarType::int32), "0");
  EXPECT_EQ(cast(NAN, ScalarType::boolean), "true");
}

TEST(ScalarValue, HasATextThatCanBeParsed) {
  for (const ScalarValue& value :
       {scalar_value(true), scalar_value(int8_t{-128}), scalar_value(~uint64_t{0}), scalar_value(0.1f),
        scalar_value(-0.0), scalar_value(1e-310), scalar_value(-std::numeric_limits<float>::infinity()),
        scalar_value(std::numeric_limits<double>::quiet_NaN()), ScalarValue{ScalarType::float32, 0xffc00001}}) {
    EXPECT_EQ(parse_scalar(value.type, to_text(value)), value) << to_text(value);
  }
  EXPECT_EQ(to_text(scalar_value(0.1f)), "0.1");
  EXPECT_EQ(parse_scalar(ScalarType::int8, "128"), std::nullopt);
  EXPECT_EQ(parse_scalar(ScalarType::float32, "1.5x"), std::nullopt);
}

ScalarBody sample_body() {
  ScalarGraphBuilder builder;
  const Node x = builder.input({"x", ScalarType::float32});
  const Node has = builder.input({"low", ScalarType::boolean, true});
  const Node low = builder.input({"low", ScalarType::float32});
  return {"float",
          "",
          builder.graph_of(builder.select(has, low, builder.make(ScalarOp::div, {builder.constant(0.1f), x}))),
          "",
          {}};
}

Fragment sample_fragment() {
  Fragment fragment;
  fragment.source = "a.h";
  fragment.dialect = "native";
  Declaration& declaration = fragment.declarations.emplace_back();
  declaration.name = "f";
  declaration.result.canonical = "T";
  declaration.scalar_bodies = {sample_body(), {"double", "x", std::nullopt, "may fail", {"a.h", {1, 2}, {1, 5}}}};
  return fragment;
}

TEST(ScalarGraphJson, RestoresGraphsAndRefusals) {
  const Fragment fragment = sample_fragment();
  llvm::Expected<Fragment> restored = fragment_from_json(to_json(fragment));
  ASSERT_TRUE(static_cast<bool>(restored)) << llvm::toString(restored.takeError());
  EXPECT_EQ(*restored, fragment);
}

TEST(ScalarGraphJson, RejectsGraphsThatBreakARule) {
  std::string text = to_json(sample_fragment());
  const std::size_t place = text.find("\"div\"");
  ASSERT_NE(place, std::string::npos);
  text.replace(place, 5, "\"rem\"");
  llvm::Expected<Fragment> restored = fragment_from_json(text);
  ASSERT_FALSE(static_cast<bool>(restored));
  EXPECT_NE(llvm::toString(restored.takeError()).find("`rem`, with operands of wrong types"), std::string::npos);
}

TEST(ScalarGraphText, ListsEqualBodiesTogether) {
  ScalarBody other = sample_body();
  other.dtype = "bool";
  other.graph = std::nullopt;
  other.refusal = "may fail";
  other.range = {"a.h", {1, 2}, {1, 5}};
  const std::vector<std::string> expected{
      "float: (x: T, has low, low: T) -> T, 2 operations",
      "  return select(has(low), low, div(0.1, x))",
      "bool: no graph",
      "  may fail at a.h:1:2-1:5",
  };
  EXPECT_EQ(text_of({sample_body(), other}), expected);
}

}  // namespace
}  // namespace structured::gen
