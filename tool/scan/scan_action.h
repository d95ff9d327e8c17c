// Frontend action of a scan.
#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "scan/collector.h"

namespace structured::gen {

class ScanAction final : public clang::ASTFrontendAction {
 public:
  ScanAction(const SourceRoot& root, BodyCallback analyze_body, Collected& collected)
      : root_(root), analyze_body_(analyze_body), collected_(collected) {}

  /// See Collector::skip_bodies().
  void skip_bodies(std::function<bool(unsigned)> may_skip) { may_skip_ = std::move(may_skip); }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance, llvm::StringRef) override {
    auto collector = std::make_unique<Collector>(instance.getPreprocessor(), root_, analyze_body_, collected_);
    collector->reject_modules();
    if (may_skip_) collector->skip_bodies(may_skip_);
    return collector;
  }

  /// Declares the unit incomplete: the end of a complete unit, above all template instantiation, takes longer than
  /// reading the declarations, and its errors are the compiler's to report.
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

 private:
  const SourceRoot& root_;
  BodyCallback analyze_body_;
  Collected& collected_;
  std::function<bool(unsigned)> may_skip_;
};

}  // namespace structured::gen
