#include "check/diagnostic.h"

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

}  // namespace structured::gen
