// Errors of Clang in code that an analysis instantiates.
#pragma once

#include <string>

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/SmallString.h"

namespace structured::gen {

/// Keeps the first error from the scan: a function that does not compile for some type is refused for that type.
class FirstError final : public clang::DiagnosticConsumer {
 public:
  explicit FirstError(clang::DiagnosticsEngine& engine)
      : engine_(engine), client_(engine.getClient()), had_errors_(engine.hasErrorOccurred()) {
    owns_client_ = engine.takeClient().release() != nullptr;
    engine.setClient(this, /*ShouldOwnClient=*/false);
  }
  FirstError(const FirstError&) = delete;
  FirstError& operator=(const FirstError&) = delete;
  ~FirstError() override {
    engine_.setClient(client_, owns_client_);
    if (!had_errors_) engine_.Reset(/*soft=*/true);
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || !text_.empty()) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    text_ = text.str().str();
    place_ = diagnostic.getLocation();
  }

  const std::string& text() const { return text_; }
  clang::SourceLocation place() const { return place_; }

 private:
  clang::DiagnosticsEngine& engine_;
  clang::DiagnosticConsumer* client_;
  bool had_errors_;
  bool owns_client_ = false;
  std::string text_;
  clang::SourceLocation place_;
};

}  // namespace structured::gen
