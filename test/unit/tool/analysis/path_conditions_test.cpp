#include "analysis/path_conditions.h"

#include <gtest/gtest.h>

namespace structured::gen {
namespace {

class PathConditionsTest : public testing::Test {
 protected:
  const SymbolicExpr* number(const char* name) { return exprs_.opaque({name, false, false, {}}); }
  const SymbolicExpr* size(const char* name) { return exprs_.opaque({name, false, true, {}}); }
  const SymbolicExpr* flag(const char* name) { return exprs_.opaque({name, true, false, {}}); }
  const SymbolicExpr* equal(const SymbolicExpr* expr, int64_t value) {
    return exprs_.equal(expr, exprs_.constant(value));
  }
  const SymbolicExpr* less(const SymbolicExpr* expr, int64_t value) {
    return exprs_.less(expr, exprs_.constant(value));
  }

  SymbolicExprContext exprs_;
  PathConditions path_;
};

TEST_F(PathConditionsTest, NothingFollowsFromNothing) {
  EXPECT_EQ(path_.value_of(flag("p")), std::nullopt);
  EXPECT_EQ(path_.value_of(exprs_.constant(1)), true);
}

TEST_F(PathConditionsTest, ConditionAndItsNegationCorrelate) {
  EXPECT_TRUE(path_.assume(exprs_.negation(flag("p")), true));
  EXPECT_EQ(path_.value_of(flag("p")), false);
  EXPECT_FALSE(path_.assume(flag("p"), true));
}

TEST_F(PathConditionsTest, RangesNarrow) {
  const SymbolicExpr* a = number("a");
  EXPECT_TRUE(path_.assume(less(a, 3), true));
  EXPECT_EQ(path_.value_of(less(a, 5)), true);
  EXPECT_EQ(path_.value_of(less(a, 2)), std::nullopt);
  EXPECT_EQ(path_.value_of(equal(a, 3)), false);
  EXPECT_TRUE(path_.assume(less(a, 2), false));  // a == 2
  EXPECT_EQ(path_.value_of(equal(a, 2)), true);
  EXPECT_FALSE(path_.assume(equal(a, 2), false));
}

TEST_F(PathConditionsTest, SizesAreNotNegative) {
  EXPECT_EQ(path_.value_of(less(size("n"), 0)), false);
  EXPECT_EQ(path_.value_of(less(number("n of another kind"), 0)), std::nullopt);
  EXPECT_FALSE(path_.assume(equal(size("n"), -1), true));
}

TEST_F(PathConditionsTest, ExcludedBoundsNarrowTheRange) {
  const SymbolicExpr* n = size("n");
  EXPECT_TRUE(path_.assume(equal(n, 0), false));
  EXPECT_EQ(path_.value_of(less(n, 1)), false);
}

TEST_F(PathConditionsTest, ConjunctionsAndDisjunctionsPropagate) {
  const SymbolicExpr* both = exprs_.conjunction(flag("p"), flag("q"));
  PathConditions taken = path_;
  EXPECT_TRUE(taken.assume(both, true));
  EXPECT_EQ(taken.value_of(flag("p")), true);
  EXPECT_EQ(taken.value_of(flag("q")), true);

  PathConditions not_taken = path_;
  EXPECT_TRUE(not_taken.assume(both, false));
  EXPECT_EQ(not_taken.value_of(flag("p")), std::nullopt);
  EXPECT_EQ(not_taken.value_of(both), false);

  PathConditions one_known = path_;
  EXPECT_TRUE(one_known.assume(flag("p"), true));
  EXPECT_TRUE(one_known.assume(both, false));  // only q can be false
  EXPECT_EQ(one_known.value_of(flag("q")), false);

  const SymbolicExpr* either = exprs_.disjunction(flag("p"), flag("q"));
  PathConditions neither = path_;
  EXPECT_TRUE(neither.assume(either, false));
  EXPECT_EQ(neither.value_of(flag("q")), false);
}

TEST_F(PathConditionsTest, CopiesAreIndependent) {
  PathConditions copy = path_;
  EXPECT_TRUE(copy.assume(flag("p"), true));
  EXPECT_NE(copy, path_);
  EXPECT_EQ(path_.value_of(flag("p")), std::nullopt);
}

}  // namespace
}  // namespace structured::gen
