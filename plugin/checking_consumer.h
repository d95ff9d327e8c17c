// AST consumer that checks the annotated functions of a source.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/check.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/SemaConsumer.h"
#include "dialect/dialect.h"
#include "scan/collector.h"
#include "signatures_file.h"

namespace structured::gen {

struct PluginOptions {
  const Dialect* dialect = find_dialect("native");
  CheckOptions check;
  std::string signatures;            ///< signatures.json of the library's last build, or empty
  std::vector<std::string> imports;  ///< signatures.json of other libraries
};

/// Reports `structured: MESSAGE` as an error of the compilation.
void report_error(clang::DiagnosticsEngine& engine, const std::string& message);

class CheckingConsumer final : public clang::SemaConsumer {
 public:
  /// Receives each diagnostic with the map for its ranges.
  using Sink = std::function<void(const Diagnostic&, const SourceMap&)>;

  CheckingConsumer(clang::CompilerInstance& instance, llvm::StringRef source, PluginOptions options, Sink sink);

  void InitializeSema(clang::Sema& sema) override { collector_.InitializeSema(sema); }
  void ForgetSema() override { collector_.ForgetSema(); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override { return collector_.HandleTopLevelDecl(group); }
  void HandleTranslationUnit(clang::ASTContext& context) override;

 private:
  llvm::Expected<SignaturesFile> read(const std::string& path);
  /// Reads the declarations of other sources.
  llvm::Expected<std::vector<ImportedLibrary>> read_libraries(const Fragment& source);

  clang::DiagnosticsEngine& engine_;
  clang::Preprocessor& preprocessor_;
  std::string source_;
  PluginOptions options_;
  Sink sink_;
  SourceRoot root_{""};
  Collected collected_;
  Collector collector_;
};

}  // namespace structured::gen
