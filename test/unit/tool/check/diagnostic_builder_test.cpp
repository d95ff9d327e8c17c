// Diagnostics with notes and fix-its.
#include "check/diagnostic_builder.h"

#include <gtest/gtest.h>

#include "check/fixits.h"

namespace structured::gen::diagnostic_builder_test {
namespace {

const SourceRange place{"a.cpp", {3, 1}, {3, 9}};
const SourceRange partner{"b.h", {7, 2}, {7, 5}};

TEST(DiagnosticBuilder, ReportsNotesAndEditsTogether) {
  std::vector<Diagnostic> diagnostics;
  DiagnosticBuilder(diagnostics, DiagnosticKind::impl_mismatch, place, "takes {}", Code("int"))
      .note(partner, "{} is declared here", Code("f"))
      .fix(replacement(place, "long"))
      .about("f", 1)
      .emit();
  const Diagnostic expected{DiagnosticKind::impl_mismatch,       "takes `int`",     place,
                            {{"`f` is declared here", partner}}, {{place, "long"}}, {"f", 1}};
  EXPECT_EQ(diagnostics, std::vector{expected});
}

TEST(DiagnosticBuilder, ReportsNothingBeforeEmit) {
  std::vector<Diagnostic> diagnostics;
  DiagnosticBuilder diagnostic(diagnostics, DiagnosticKind::impl_mismatch, place, "is wrong");
  diagnostic.note(partner, "here");
  EXPECT_TRUE(diagnostics.empty());
  diagnostic.emit();
  EXPECT_EQ(diagnostics.size(), 1u);
}

TEST(DiagnosticBuilder, StaysValidWhileOthersAreReported) {
  std::vector<Diagnostic> diagnostics;
  DiagnosticBuilder first(diagnostics, DiagnosticKind::impl_mismatch, place, "first");
  for (int i = 0; i < 100; ++i) {
    DiagnosticBuilder(diagnostics, DiagnosticKind::impl_mismatch, place, "other {}", i).emit();
  }
  first.note(partner, "here");
  first.emit();
  EXPECT_EQ(diagnostics.back().message, "first");
  EXPECT_EQ(diagnostics.back().notes.size(), 1u);
}

TEST(DiagnosticBuilder, AddsNoEditIfThereIsNone) {
  std::vector<Diagnostic> diagnostics;
  DiagnosticBuilder(diagnostics, DiagnosticKind::impl_mismatch, place, "is wrong").fix(std::nullopt).emit();
  EXPECT_TRUE(diagnostics.front().fixits.empty());
}

static_assert(!std::is_copy_constructible_v<DiagnosticBuilder>);

}  // namespace
}  // namespace structured::gen::diagnostic_builder_test
