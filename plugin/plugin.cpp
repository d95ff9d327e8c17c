// The Clang plugin: the checks of `structured-gen check`, on one source, inside an ordinary compile.
//
//   clang++-19 -fplugin=StructuredPlugin.so [-fplugin-arg-structured-OPTION=VALUE]...
//
//   namespace=NS        of the library (default: aten)
//   dialect=D           native (default) or aten
//   signatures=FILE     the library's signatures.json as the last build left it: what other sources declare
//   import=FILE         signatures.json of another library that this one has kernels for
#include "check/check.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "dialect/dialect.h"
#include "model/last_build.h"
#include "report.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"
#include "scan/collector.h"
#include "signatures_file.h"

namespace structured::gen {
namespace {

struct PluginOptions {
  const Dialect* dialect = find_dialect("native");
  CheckOptions check;
  std::string signatures;
  std::vector<std::string> imports;
};

void report_error(clang::DiagnosticsEngine& engine, const std::string& message) {
  engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "structured: %0")) << message;
}

class CheckingConsumer final : public clang::SemaConsumer {
 public:
  CheckingConsumer(clang::CompilerInstance& instance, llvm::StringRef source, PluginOptions options)
      : engine_(instance.getDiagnostics()),
        preprocessor_(instance.getPreprocessor()),
        source_(source),
        options_(std::move(options)),
        collector_(instance.getPreprocessor(), root_, collected_) {}

  void InitializeSema(clang::Sema& sema) override { collector_.InitializeSema(sema); }
  void ForgetSema() override { collector_.ForgetSema(); }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override { return collector_.HandleTopLevelDecl(group); }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    collector_.HandleTranslationUnit(context);
    // Rules speak of declarations that make sense; Clang has said which do not.
    if (engine_.hasUncompilableErrorOccurred() || collected_.declarations.empty()) return;
    Fragment fragment;
    fragment.source = source_;
    fragment.dialect = options_.dialect->name().str();
    fragment.declarations = std::move(collected_.declarations);
    llvm::Expected<std::vector<ImportedLibrary>> libraries = read_libraries(fragment);
    if (!libraries) return report_error(engine_, llvm::toString(libraries.takeError()));
    CheckOptions options = options_.check;
    options.imports = *libraries;
    for (const Diagnostic& diagnostic : check(fragment, options_.dialect->types(), options)) {
      report(diagnostic, *collected_.map, engine_);
    }
  }

 private:
  llvm::Expected<SignaturesFile> read(const std::string& path) {
    return read_signatures(path, options_.dialect->name(), *collected_.map, preprocessor_);
  }

  /// What is known of functions that other sources have.
  llvm::Expected<std::vector<ImportedLibrary>> read_libraries(const Fragment& source) {
    const TypeTable& types = options_.dialect->types();
    std::vector<ImportedLibrary> libraries;
    if (!options_.signatures.empty()) {
      llvm::Expected<SignaturesFile> file = read(options_.signatures);
      if (!file) return file.takeError();
      if (file->signatures.schema_namespace != options_.check.schema_namespace) {
        return llvm::createStringError("`" + options_.signatures + "` is of the namespace `" +
                                       file->signatures.schema_namespace + "`; expected `" +
                                       options_.check.schema_namespace + "`, or another `namespace=`");
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

  clang::DiagnosticsEngine& engine_;
  clang::Preprocessor& preprocessor_;
  std::string source_;
  PluginOptions options_;
  SourceRoot root_{""};
  Collected collected_;
  Collector collector_;
};

class StructuredAction final : public clang::PluginASTAction {
 public:
  StructuredAction() { options_.check.whole_library = false; }

  bool ParseArgs(const clang::CompilerInstance& instance, const std::vector<std::string>& arguments) override {
    auto fail = [&](const std::string& message) {
      report_error(instance.getDiagnostics(), message);
      return false;
    };
    for (llvm::StringRef argument : arguments) {
      auto [name, value] = argument.split('=');
      if (!llvm::is_contained({"namespace", "dialect", "signatures", "import"}, name)) {
        return fail("unknown option `" + argument.str() +
                    "`; there are `namespace=`, `dialect=`, `signatures=` and `import=`");
      }
      if (value.empty()) return fail("`" + name.str() + "` is empty");
      if (name == "namespace") options_.check.schema_namespace = value.str();
      if (name == "signatures") options_.signatures = value.str();
      if (name == "import") options_.imports.push_back(value.str());
      if (name != "dialect") continue;
      options_.dialect = find_dialect(value);
      if (!options_.dialect) return fail("unknown dialect `" + value.str() + "`; there are native and aten");
    }
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef source) override {
    // A CUDA source is compiled once for each side, and what is wrong should be said once.
    if (instance.getLangOpts().CUDAIsDevice) {
      silence_unknown_attributes(instance.getPreprocessor());
      return std::make_unique<clang::ASTConsumer>();
    }
    return std::make_unique<CheckingConsumer>(instance, source, options_);
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  PluginOptions options_;
};

/// Attributes have to be known before anything is parsed, on the device side of a CUDA source as well.
struct RegisterAttributes {
  RegisterAttributes() { register_attributes(); }
};
const RegisterAttributes register_attributes_at_load;

const clang::FrontendPluginRegistry::Add<StructuredAction> register_action(
    "structured", "check functions that carry [[structured::...]] attributes");

}  // namespace
}  // namespace structured::gen
