#include "scan/scan_diagnostics.h"

#include "clang/Lex/LexDiagnostic.h"
#include "scan/scan_findings.h"
#include "scan/source_map.h"

namespace structured::gen {
namespace {

bool names_missing_file(unsigned id) {
  return id == clang::diag::err_pp_file_not_found ||
         id == clang::diag::err_pp_file_not_found_angled_include_not_fatal ||
         id == clang::diag::err_pp_file_not_found_typo_not_fatal;
}

}  // namespace

void ScanDiagnostics::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) {
  language_ = &language;
  printer_.BeginSourceFile(language, preprocessor);
}

void ScanDiagnostics::EndSourceFile() {
  printer_.EndSourceFile();
  language_ = nullptr;
}

void ScanDiagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) {
  if (is_muted_) return;
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
  printer_.HandleDiagnostic(level, diagnostic);
  if (!language_ || !is_finding(diagnostic)) {
    if (level >= clang::DiagnosticsEngine::Error) keep_error(diagnostic);
    return;
  }
  SourceMap map(diagnostic.getSourceManager(), *language_, root_);
  ScanFinding finding;
  finding.message = diagnostic.getArgStdStr(0);
  finding.kind = diagnostic.getArgStdStr(1);
  bool has_range = diagnostic.getNumRanges() > 0;
  finding.range = has_range ? map.range(diagnostic.getRange(0)) : map.range(diagnostic.getLocation());
  for (const clang::FixItHint& hint : diagnostic.getFixItHints()) {
    if (hint.RemoveRange.getBegin().isMacroID()) continue;  // the text is in a macro definition
    finding.edits.push_back({map.range(hint.RemoveRange), hint.CodeToInsert});
  }
  is_muted_ = finding.kind == module_kind;
  findings_.push_back(std::move(finding));
}

void ScanDiagnostics::keep_error(const clang::Diagnostic& diagnostic) {
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  ParserError error{message.str().str(), {}};
  if (names_missing_file(diagnostic.getID())) error.missing_file = diagnostic.getArgStdStr(0);
  if (language_ && diagnostic.getLocation().isValid()) {
    SourceMap map(diagnostic.getSourceManager(), *language_, root_);
    error.range = map.range(clang::SourceRange(diagnostic.getLocation()));
  }
  parser_errors_.push_back(std::move(error));
}

}  // namespace structured::gen
