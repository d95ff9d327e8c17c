#include "scan/scan_findings.h"

#include <gmock/gmock.h>

#include "check/diagnostic.h"

namespace structured::gen {
namespace {

// The scan names kinds of diagnostics without depending on check/; the registry must have the same names.
TEST(ScanFindings, HaveKindsOfTheRegistry) {
  EXPECT_EQ(unknown_attribute_kind, name_of(DiagnosticKind::unknown_attribute));
  EXPECT_EQ(module_kind, name_of(DiagnosticKind::module));
  EXPECT_EQ(misplaced_attribute_kind, name_of(DiagnosticKind::misplaced_attribute));
  EXPECT_EQ(bad_attribute_argument_kind, name_of(DiagnosticKind::bad_attribute_argument));
}

}  // namespace
}  // namespace structured::gen
