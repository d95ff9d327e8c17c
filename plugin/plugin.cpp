// The Clang plugin: the checks of `structured-gen check`, on one source, inside an ordinary compile.
//
//   clang++-19 -fplugin=StructuredPlugin.so [-fplugin-arg-structured-namespace=NS] [-fplugin-arg-structured-dialect=D]
#include "check/check.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "dialect/dialect.h"
#include "report.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"
#include "scan/collector.h"

namespace structured::gen {
namespace {

struct PluginOptions {
  const Dialect* dialect = find_dialect("native");
  CheckOptions check;
};

class CheckingConsumer final : public clang::SemaConsumer {
 public:
  CheckingConsumer(clang::CompilerInstance& instance, llvm::StringRef source, PluginOptions options)
      : engine_(instance.getDiagnostics()),
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
    for (const Diagnostic& diagnostic : check(fragment, options_.dialect->types(), options_.check)) {
      report(diagnostic, *collected_.map, engine_);
    }
  }

 private:
  clang::DiagnosticsEngine& engine_;
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
    clang::DiagnosticsEngine& engine = instance.getDiagnostics();
    auto fail = [&](const std::string& message) {
      engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "structured: %0")) << message;
      return false;
    };
    for (llvm::StringRef argument : arguments) {
      if (argument.consume_front("namespace=")) {
        if (argument.empty()) return fail("`namespace` is empty");
        options_.check.schema_namespace = argument.str();
      } else if (argument.consume_front("dialect=")) {
        options_.dialect = find_dialect(argument);
        if (!options_.dialect) return fail("unknown dialect `" + argument.str() + "`; there are native and aten");
      } else {
        return fail("unknown option `" + argument.str() + "`; there are `namespace=` and `dialect=`");
      }
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
