#include "check/diagnostic.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace structured::gen {

const char* name_of(DiagnosticKind kind) {
  switch (kind) {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) \
  case DiagnosticKind::identifier:                                 \
    return name;
#include "check/diagnostic_kinds.def"
  }
  llvm_unreachable("every kind is in the registry");
}

std::optional<DiagnosticKind> kind_named(std::string_view name) {
#define STRUCTURED_DIAGNOSTIC(identifier, printed_name, severity, summary) \
  if (name == printed_name) return DiagnosticKind::identifier;
#include "check/diagnostic_kinds.def"
  return std::nullopt;
}

Severity severity_of(DiagnosticKind kind) {
  switch (kind) {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) \
  case DiagnosticKind::identifier:                                 \
    return Severity::severity;
#include "check/diagnostic_kinds.def"
  }
  llvm_unreachable("every kind is in the registry");
}

const char* summary_of(DiagnosticKind kind) {
  switch (kind) {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) \
  case DiagnosticKind::identifier:                                 \
    return summary;
#include "check/diagnostic_kinds.def"
  }
  llvm_unreachable("every kind is in the registry");
}

void sort_unique(std::vector<Diagnostic>& diagnostics) {
  llvm::sort(diagnostics, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.range, a.kind, a.message) < std::tie(b.range, b.kind, b.message);
  });
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end()), diagnostics.end());
}

}  // namespace structured::gen
