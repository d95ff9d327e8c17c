// Factories of fix-its.
#include "check/fixits.h"

#include <gtest/gtest.h>

namespace structured::gen::fixits_test {
namespace {

const SourceRange range{"a.cpp", {3, 5}, {3, 9}};

TEST(FixIts, InsertAtTheEndsOfARange) {
  EXPECT_EQ(insertion_before(range, "x"), (FixIt{{"a.cpp", {3, 5}, {3, 5}}, "x"}));
  EXPECT_EQ(insertion_after(range, "x"), (FixIt{{"a.cpp", {3, 9}, {3, 9}}, "x"}));
}

TEST(FixIts, ReplaceAndRemoveARange) {
  EXPECT_EQ(replacement(range, "x"), (FixIt{range, "x"}));
  EXPECT_EQ(removal(range), (FixIt{range, ""}));
}

TEST(FixIts, QuoteStringLiterals) {
  EXPECT_EQ(string_replacement(range, "CPU"), (FixIt{range, "\"CPU\""}));
  EXPECT_EQ(string_replacement(range, DidYouMean("CPV", {"CPU"})), (FixIt{range, "\"CPU\""}));
  EXPECT_EQ(string_replacement(range, DidYouMean("something else", {"CPU"})), std::nullopt);
}

TEST(FixIts, RenameParametersOfDeclarationsOnly) {
  Declaration declaration;
  Parameter parameter;
  parameter.name_range = range;
  EXPECT_EQ(renamed(declaration, parameter, "self"), (FixIt{range, "self"}));
  declaration.is_definition = true;
  EXPECT_EQ(renamed(declaration, parameter, "self"), std::nullopt);
}

TEST(FixIts, KeepNamesInsideOfDeclarators) {
  Parameter parameter;
  parameter.name = "x";
  parameter.type_range = {"a.cpp", {3, 1}, {3, 9}};
  parameter.name_range = {"a.cpp", {3, 5}, {3, 6}};
  EXPECT_EQ(retyped(parameter, "int"), (FixIt{parameter.type_range, "int x"}));
  parameter.name_range = {"a.cpp", {3, 9}, {3, 10}};
  EXPECT_EQ(retyped(parameter, "int"), (FixIt{parameter.type_range, "int "}));
}

}  // namespace
}  // namespace structured::gen::fixits_test
