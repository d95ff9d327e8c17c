// Keeps Clang's diagnostics as text until it is known whether they matter.
#pragma once

#include <memory>
#include <string>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

class ScanDiagnostics final : public clang::DiagnosticConsumer {
 public:
  explicit ScanDiagnostics(clang::DiagnosticOptions& options) : out_(text_), printer_(out_, &options) {
    out_.enable_colors(options.ShowColors);
  }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override {
    printer_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_.EndSourceFile(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    // Findings of ours have ids of their own, above all of Clang's.
    if (level >= clang::DiagnosticsEngine::Error && diagnostic.getID() >= clang::diag::DIAG_UPPER_LIMIT) ++findings_;
    printer_.HandleDiagnostic(level, diagnostic);
  }

  unsigned findings() const { return findings_; }
  std::string take_text() { return std::move(text_); }

 private:
  std::string text_;
  llvm::raw_string_ostream out_;
  clang::TextDiagnosticPrinter printer_;
  unsigned findings_ = 0;
};

}  // namespace structured::gen
