// Application of fix-its: conflicts between them, and the resulting sources.
#include "check/apply_fixits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../emit/temporary_folder.h"

namespace structured::gen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class ApplyFixits : public testing::Test {
 protected:
  ApplyFixits() { folder_.write("a.cpp", "one two\nthree\n"); }

  // Each inner list has the fix-its of one diagnostic.
  AppliedFixIts apply(std::vector<std::vector<FixIt>> fixits) {
    std::vector<Diagnostic> diagnostics;
    for (std::vector<FixIt>& list : fixits) {
      diagnostics.push_back({DiagnosticKind::impl_mismatch, "message", {"a.cpp", {1, 1}, {1, 2}}, {}, list});
    }
    SourceText sources(folder_.path());
    return apply_fixits(diagnostics, sources);
  }

  static FixIt edit(Position begin, Position end, std::string text, std::string file = "a.cpp") {
    return {{std::move(file), begin, end}, std::move(text)};
  }

  TemporaryFolder folder_;
};

TEST_F(ApplyFixits, ChangesNothingWhereNoneAreOffered) {
  const AppliedFixIts result = apply({{}, {}});
  EXPECT_THAT(result.files, IsEmpty());
  EXPECT_EQ(result.applied, 0u);
  EXPECT_EQ(result.skipped, 0u);
}

TEST_F(ApplyFixits, CountsErrorsThatStay) {
  EXPECT_EQ(apply({{}, {edit({1, 1}, {1, 4}, "1")}}).unfixed_errors, 1u);
  EXPECT_EQ(apply({{edit({1, 1}, {1, 4}, "1")}, {edit({1, 2}, {1, 3}, "2")}}).unfixed_errors, 1u);
  EXPECT_EQ(apply({{edit({1, 1}, {1, 4}, "1")}}).unfixed_errors, 0u);
}

TEST_F(ApplyFixits, ReplacesInsertsAndRemoves) {
  const AppliedFixIts result =
      apply({{edit({1, 1}, {1, 4}, "1")}, {edit({1, 5}, {1, 5}, "and ")}, {edit({2, 1}, {2, 4}, "")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1 and two\nee\n")));
  EXPECT_EQ(result.applied, 3u);
}

TEST_F(ApplyFixits, DoesNotDependOnTheOrderOfDiagnostics) {
  const AppliedFixIts result = apply({{edit({2, 1}, {2, 6}, "3")}, {edit({1, 1}, {1, 4}, "1")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1 two\n3\n")));
}

TEST_F(ApplyFixits, ReplacesOverLinesAndAtTheEnd) {
  const AppliedFixIts result = apply({{edit({1, 5}, {2, 6}, "2 3")}, {edit({3, 1}, {3, 1}, "four\n")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "one 2 3\nfour\n")));
}

TEST_F(ApplyFixits, TakesEditsThatTouch) {
  const AppliedFixIts result = apply({{edit({1, 1}, {1, 4}, "1")}, {edit({1, 4}, {1, 5}, "-")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1-two\nthree\n")));
  EXPECT_EQ(result.skipped, 0u);
}

TEST_F(ApplyFixits, KeepsTheFirstOfThoseThatOverlap) {
  const AppliedFixIts result = apply({{edit({1, 3}, {1, 6}, "x")}, {edit({1, 1}, {1, 4}, "y")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "onxwo\nthree\n")));
  EXPECT_EQ(result.applied, 1u);
  EXPECT_EQ(result.skipped, 1u);
}

TEST_F(ApplyFixits, KeepsTheFirstOfThoseInsideOneAnother) {
  EXPECT_EQ(apply({{edit({1, 1}, {1, 8}, "x")}, {edit({1, 3}, {1, 3}, "y")}}).skipped, 1u);
  EXPECT_EQ(apply({{edit({1, 3}, {1, 3}, "y")}, {edit({1, 1}, {1, 8}, "x")}}).skipped, 1u);
}

TEST_F(ApplyFixits, KeepsTheFirstOfTwoInsertionsAtOnePlace) {
  const AppliedFixIts result = apply({{edit({1, 1}, {1, 1}, "a")}, {edit({1, 1}, {1, 1}, "b")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "aone two\nthree\n")));
  EXPECT_EQ(result.skipped, 1u);
}

TEST_F(ApplyFixits, CountsEqualEditsOnce) {
  const AppliedFixIts result = apply({{edit({1, 1}, {1, 4}, "1")}, {edit({1, 1}, {1, 4}, "1")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1 two\nthree\n")));
  EXPECT_EQ(result.applied, 2u);
  EXPECT_EQ(result.skipped, 0u);
}

TEST_F(ApplyFixits, AppliesAllOfADiagnosticOrNothing) {
  const AppliedFixIts result =
      apply({{edit({1, 1}, {1, 4}, "1")}, {edit({2, 1}, {2, 6}, "3"), edit({1, 2}, {1, 3}, "x")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1 two\nthree\n")));
  EXPECT_EQ(result.applied, 1u);
  EXPECT_EQ(result.skipped, 1u);
}

TEST_F(ApplyFixits, AppliesNothingOfADiagnosticThatContradictsItself) {
  const AppliedFixIts result = apply({{edit({1, 1}, {1, 4}, "1"), edit({1, 3}, {1, 6}, "x")}});
  EXPECT_THAT(result.files, IsEmpty());
  EXPECT_EQ(result.skipped, 1u);
}

TEST_F(ApplyFixits, ChangesSeveralFiles) {
  folder_.write("b.cpp", "four");
  const AppliedFixIts result = apply({{edit({1, 1}, {1, 4}, "1"), edit({1, 1}, {1, 5}, "4", "b.cpp")}});
  EXPECT_THAT(result.files, ElementsAre(Pair("a.cpp", "1 two\nthree\n"), Pair("b.cpp", "4")));
  EXPECT_EQ(result.applied, 1u);
}

TEST_F(ApplyFixits, SkipsPlacesThatAreNotInTheFile) {
  EXPECT_EQ(apply({{edit({1, 1}, {1, 9}, "x")}}).skipped, 1u);
  EXPECT_EQ(apply({{edit({4, 1}, {4, 1}, "x")}}).skipped, 1u);
  EXPECT_EQ(apply({{edit({0, 0}, {0, 0}, "x")}}).skipped, 1u);
  EXPECT_EQ(apply({{edit({1, 4}, {1, 1}, "x")}}).skipped, 1u);
  EXPECT_EQ(apply({{edit({1, 1}, {1, 2}, "x", "missing.cpp")}}).skipped, 1u);
  EXPECT_THAT(apply({{edit({1, 1}, {1, 9}, "x")}}).files, IsEmpty());
}

}  // namespace
}  // namespace structured::gen
