// Diagnostic consumer that records Clang's diagnostics as text and structured findings as values.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include "scan/clang_versions.h"
#include "scan/scanner.h"
#include "scan/source_path.h"

namespace structured::gen {

class ScanDiagnostics final : public clang::DiagnosticConsumer {
 public:
  /// `root` must outlive the consumer.
  ScanDiagnostics(clang::DiagnosticOptions& options, const SourceRoot& root)
      : out_(text_), printer_(out_, printer_options(options)), root_(root) {
    out_.enable_colors(options.ShowColors);
  }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

  std::vector<ScanFinding> take_findings() { return std::move(findings_); }
  std::vector<ParserError> take_parser_errors() { return std::move(parser_errors_); }
  std::string take_text() { return std::move(text_); }

 private:
  void keep_error(const clang::Diagnostic& diagnostic);

  std::string text_;
  llvm::raw_string_ostream out_;
  clang::TextDiagnosticPrinter printer_;
  const SourceRoot& root_;
  const clang::LangOptions* language_ = nullptr;  ///< null outside of a source
  std::vector<ScanFinding> findings_;
  std::vector<ParserError> parser_errors_;
  bool is_muted_ = false;  ///< after a finding that explains all errors
};

}  // namespace structured::gen
