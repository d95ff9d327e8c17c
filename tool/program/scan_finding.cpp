#include "program/scan_finding.h"

#include <cassert>

namespace structured::gen {

Diagnostic diagnostic_of(const ScanFinding& finding) {
  std::optional<DiagnosticKind> kind = kind_named(finding.kind);
  assert(kind && "findings have kinds of the registry");
  Diagnostic diagnostic{*kind, finding.message, finding.range, {}, {}};
  for (const ScanFinding::Edit& edit : finding.edits) diagnostic.fixits.push_back({edit.range, edit.text});
  return diagnostic;
}

}  // namespace structured::gen
