#include "checking_consumer.h"

#include "analysis/body_analysis.h"
#include "clang/Lex/Preprocessor.h"
#include "model/last_build.h"
#include "scan/clang_versions.h"

namespace structured::gen {

void report_error(clang::DiagnosticsEngine& engine, const std::string& message) {
  engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "structured: %0")) << message;
}

CheckingConsumer::CheckingConsumer(clang::CompilerInstance& instance, llvm::StringRef source, PluginOptions options,
                                   Sink sink)
    : engine_(instance.getDiagnostics()),
      preprocessor_(instance.getPreprocessor()),
      source_(source),
      options_(std::move(options)),
      sink_(std::move(sink)),
      collector_(instance.getPreprocessor(), root_, analyze_body, collected_) {}

void CheckingConsumer::HandleTranslationUnit(clang::ASTContext& context) {
  collector_.HandleTranslationUnit(context);
  // The rules require valid declarations; Clang has reported the others. Findings in attributes are no reason to stop.
  if (has_compile_error(engine_) || collected_.declarations.empty()) return;
  Fragment fragment;
  fragment.source = source_;
  fragment.dialect = options_.dialect->name().str();
  fragment.declarations = std::move(collected_.declarations);
  llvm::Expected<std::vector<ImportedLibrary>> libraries = read_libraries(fragment);
  if (!libraries) return report_error(engine_, llvm::toString(libraries.takeError()));
  CheckOptions options = options_.check;
  options.imports = *libraries;
  options.cpp_types = options_.dialect->cpp_types();
  bool knows_library = !libraries->empty() && libraries->front().is_last_build;
  options.cpp_namespace =
      knows_library ? libraries->front().cpp_namespace : default_cpp_namespace(options.schema_namespace);
  for (const Diagnostic& diagnostic : check(fragment, options_.dialect->types(), options)) {
    sink_(diagnostic, *collected_.map);
  }
}

llvm::Expected<SignaturesFile> CheckingConsumer::read(const std::string& path) {
  return read_signatures(path, options_.dialect->name(), *collected_.map, preprocessor_);
}

llvm::Expected<std::vector<ImportedLibrary>> CheckingConsumer::read_libraries(const Fragment& source) {
  const TypeTable& types = options_.dialect->types();
  std::vector<ImportedLibrary> libraries;
  if (!options_.signatures.empty()) {
    llvm::Expected<SignaturesFile> file = read(options_.signatures);
    if (!file) return file.takeError();
    if (file->signatures.schema_namespace != options_.check.schema_namespace) {
      return llvm::createStringError("`" + options_.signatures + "` has the namespace `" +
                                     file->signatures.schema_namespace + "`; expected `" +
                                     options_.check.schema_namespace + "`, the value of `namespace=`");
    }
    libraries.push_back(last_build(std::move(file->signatures), source, types, file->name, file->text));
  }
  for (const std::string& path : options_.imports) {
    llvm::Expected<SignaturesFile> file = read(path);
    if (!file) return file.takeError();
    libraries.push_back(imported_library(file->signatures, types, file->name, file->text));
  }
  return libraries;
}

}  // namespace structured::gen
