// The registry of diagnostics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "check/diagnostic.h"

namespace structured::gen {
namespace {

struct Kind {
  DiagnosticKind kind;
  std::string identifier;
};

const Kind kinds[] = {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) {DiagnosticKind::identifier, #identifier},
#include "check/diagnostic_kinds.def"
};

TEST(Registry, PrintsIdentifiersInKebabCase) {
  for (const Kind& kind : kinds) {
    std::string expected = "structured-" + kind.identifier;
    for (char& c : expected) {
      if (c == '_') c = '-';
    }
    EXPECT_EQ(name_of(kind.kind), expected);
  }
}

TEST(Registry, HasNoNameTwice) {
  std::set<std::string> names;
  for (const Kind& kind : kinds) EXPECT_TRUE(names.insert(name_of(kind.kind)).second) << kind.identifier;
}

TEST(Registry, SummarisesInOneLine) {
  for (const Kind& kind : kinds) {
    std::string summary = summary_of(kind.kind);
    EXPECT_FALSE(summary.empty());
    EXPECT_THAT(summary, testing::Not(testing::AnyOf(testing::HasSubstr("\n"), testing::EndsWith("."))));
  }
}

TEST(Registry, WarnsOfWhatStillWorks) {
  EXPECT_EQ(severity_of(DiagnosticKind::meta_without_impl), Severity::warning);
  EXPECT_EQ(severity_of(DiagnosticKind::no_meta_kernel), Severity::warning);
  EXPECT_EQ(severity_of(DiagnosticKind::impl_default), Severity::warning);
  EXPECT_EQ(severity_of(DiagnosticKind::impl_mismatch), Severity::error);
}

}  // namespace
}  // namespace structured::gen
