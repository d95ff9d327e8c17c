// Clang plugin that runs the checks of `structured-gen check` on one source during compilation.
//
//   clang++-19 -fplugin=StructuredPlugin.so [-fplugin-arg-structured-OPTION=VALUE]...
//
//   namespace=NS        schema namespace of the library (default: aten)
//   dialect=D           native (default) or aten
//   signatures=FILE     signatures.json of the last build: declarations of the library's other sources
//   import=FILE         signatures.json of another library for which this one has kernels
#include "checking_consumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "dialect/dialect.h"
#include "report.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"

namespace structured::gen {
namespace {

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
                    "`; expected `namespace=`, `dialect=`, `signatures=` or `import=`");
      }
      if (value.empty()) return fail("`" + name.str() + "` is empty");
      if (name == "namespace") options_.check.schema_namespace = value.str();
      if (name == "signatures") options_.signatures = value.str();
      if (name == "import") options_.imports.push_back(value.str());
      if (name != "dialect") continue;
      options_.dialect = find_dialect(value);
      if (!options_.dialect) return fail(unknown_dialect(value));
    }
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef source) override {
    // A CUDA source is compiled once for each side; report on the host side only.
    if (instance.getLangOpts().CUDAIsDevice) {
      silence_unknown_attributes(instance.getPreprocessor());
      return std::make_unique<clang::ASTConsumer>();
    }
    return std::make_unique<CheckingConsumer>(instance, source, options_,
                                              [&](const Diagnostic& diagnostic, const SourceMap& map) {
                                                report(diagnostic, map, instance.getDiagnostics());
                                              });
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  PluginOptions options_;
};

/// Attributes must be registered before anything is parsed, on the device side as well.
struct RegisterAttributes {
  RegisterAttributes() { register_attributes(); }
};
const RegisterAttributes register_attributes_at_load;

const clang::FrontendPluginRegistry::Add<StructuredAction> register_action(
    "structured", "check functions that carry [[structured::...]] attributes");

}  // namespace
}  // namespace structured::gen
