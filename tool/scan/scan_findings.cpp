#include "scan/scan_findings.h"

#include "llvm/ADT/Twine.h"
#include "scan/clang_versions.h"

namespace structured::gen {

void report_finding(clang::DiagnosticsEngine& engine, llvm::StringRef kind, clang::SourceLocation place,
                    clang::CharSourceRange range, const llvm::Twine& message, llvm::ArrayRef<clang::FixItHint> fixits) {
  unsigned id = own_error_id(engine, "%0 [%1]");
  clang::DiagnosticBuilder builder = engine.Report(place, id);
  builder << message.str() << kind;
  if (range.isValid()) builder << range;
  for (const clang::FixItHint& fixit : fixits) builder << fixit;
}

bool is_finding(const clang::Diagnostic& diagnostic) {
  // Custom diagnostic ids are above all of Clang's own, and only report_finding() creates any.
  return diagnostic.getID() >= clang::diag::DIAG_UPPER_LIMIT;
}

}  // namespace structured::gen
