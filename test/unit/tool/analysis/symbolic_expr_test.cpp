#include "analysis/symbolic_expr.h"

#include <gtest/gtest.h>

namespace structured::gen {
namespace {

class SymbolicExprTest : public testing::Test {
 protected:
  const SymbolicExpr* number(const char* name) { return exprs_.opaque({name, false, false, {}}); }
  const SymbolicExpr* flag(const char* name) { return exprs_.opaque({name, true, false, {}}); }

  SymbolicExprContext exprs_;
};

TEST_F(SymbolicExprTest, EqualExpressionsAreOneObject) {
  EXPECT_EQ(number("a"), number("a"));
  EXPECT_EQ(exprs_.equal(number("a"), number("b")), exprs_.equal(number("b"), number("a")));
  EXPECT_EQ(exprs_.conjunction(flag("p"), flag("q")), exprs_.conjunction(flag("q"), flag("p")));
  EXPECT_NE(exprs_.conjunction(flag("p"), flag("q")), exprs_.disjunction(flag("p"), flag("q")));
  EXPECT_NE(exprs_.unknown(true), exprs_.unknown(true));
}

TEST_F(SymbolicExprTest, DoubleNegationCancels) {
  const SymbolicExpr* p = flag("p");
  EXPECT_NE(exprs_.negation(p), p);
  EXPECT_EQ(exprs_.negation(exprs_.negation(p)), p);
}

TEST_F(SymbolicExprTest, ConstantsFold) {
  const SymbolicExpr* p = flag("p");
  EXPECT_EQ(exprs_.conjunction(p, exprs_.constant(1)), p);
  EXPECT_EQ(exprs_.conjunction(exprs_.constant(0), p), exprs_.constant(0));
  EXPECT_EQ(exprs_.disjunction(p, exprs_.constant(1)), exprs_.constant(1));
  EXPECT_EQ(exprs_.less(exprs_.constant(2), exprs_.constant(3)), exprs_.constant(1));
  EXPECT_EQ(exprs_.less(number("a"), number("a")), exprs_.constant(0));
}

TEST_F(SymbolicExprTest, ComparisonsWithConstantsHaveOneForm) {
  // 2 < a, and !(a < 3).
  EXPECT_EQ(exprs_.less(exprs_.constant(2), number("a")),
            exprs_.negation(exprs_.less(number("a"), exprs_.constant(3))));
  EXPECT_EQ(exprs_.equal(exprs_.constant(2), number("a")), exprs_.equal(number("a"), exprs_.constant(2)));
}

TEST_F(SymbolicExprTest, ComparisonsOfTwoValuesExcludeEachOther) {
  // a < b, and !(b < a) or a == b: all refer to the sign of one difference.
  const SymbolicExpr* less = exprs_.less(number("a"), number("b"));
  const SymbolicExpr* greater = exprs_.less(number("b"), number("a"));
  ASSERT_EQ(less->kind, SymbolicExpr::Kind::order);
  ASSERT_EQ(greater->kind, SymbolicExpr::Kind::negation);
  EXPECT_EQ(less->left, greater->left->left);
  EXPECT_EQ(less->left, exprs_.equal(number("a"), number("b"))->left);
}

TEST_F(SymbolicExprTest, ConditionsAreBool) {
  const SymbolicExpr* p = flag("p");
  EXPECT_EQ(exprs_.condition(p), p);
  EXPECT_EQ(exprs_.condition(number("a")), exprs_.negation(exprs_.equal(number("a"), exprs_.constant(0))));
  EXPECT_EQ(exprs_.equal(p, exprs_.constant(0)), exprs_.negation(p));
}

TEST_F(SymbolicExprTest, OperandsMergeTheirInputs) {
  const SymbolicExpr* size = exprs_.opaque({"x.size(0)", false, true, {true, false, {"x"}}});
  const SymbolicExpr* other = exprs_.opaque({"y.size(0)", false, true, {true, false, {"y"}}});
  const SymbolicExpr* tensor = exprs_.opaque({"x", false, false, {true, true, {"x"}}});
  const Reads sizes = exprs_.equal(size, other)->reads;
  EXPECT_TRUE(sizes.only_shapes);
  EXPECT_EQ(sizes.tensors, (std::set<std::string>{"x", "y"}));
  EXPECT_FALSE(exprs_.equal(size, tensor)->reads.only_shapes);  // compares with elements of `x`
}

}  // namespace
}  // namespace structured::gen
