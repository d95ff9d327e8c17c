// clang-tidy module with one check for each kind of diagnostic, named like the kind.
//
//   clang-tidy-19 --load=StructuredTidy.so --checks='structured-*' source.cpp
//
// Options, shared by all checks: StructuredNamespace, StructuredDialect, StructuredSignatures, StructuredImports (a
// list separated by `;`). They correspond to the options of the plugin.
#include "check/diagnostic.h"
#include "checking_consumer.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "report.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"
#include "scan/clang_versions.h"
#if CLANG_VERSION_MAJOR < 22  // the header of modules contains it from 22 on
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif

namespace structured::gen {
namespace {

/// Diagnostics of the current source, shared between the plugin action, which computes them, and the checks, which
/// report them: a check sees the finished AST only, not the parser.
struct Session {
  bool is_wanted = false;
  PluginOptions options;
  std::string unknown_dialect;
  struct Finding {
    Diagnostic diagnostic;
    const SourceMap* map;
  };
  std::vector<Finding> findings;
};

Session& session() {
  static Session value;
  return value;
}

class StructuredCheck final : public clang::tidy::ClangTidyCheck {
 public:
  StructuredCheck(llvm::StringRef name, clang::tidy::ClangTidyContext* context, DiagnosticKind kind)
      : ClangTidyCheck(name, context), kind_(kind) {
    Session& found = session();
    found.is_wanted = true;
    PluginOptions options;
    options.check.whole_library = false;
    options.check.schema_namespace = Options.getLocalOrGlobal("StructuredNamespace", "aten").str();
    options.signatures = Options.getLocalOrGlobal("StructuredSignatures", "").str();
    llvm::StringRef dialect = Options.getLocalOrGlobal("StructuredDialect", "native");
    options.dialect = find_dialect(dialect);
    found.unknown_dialect = options.dialect ? "" : dialect.str();
    llvm::SmallVector<llvm::StringRef> imports;
    Options.getLocalOrGlobal("StructuredImports", "").split(imports, ';', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef import : imports) options.imports.push_back(import.trim().str());
    found.options = std::move(options);
  }

  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult&) override {
    for (const Session::Finding& finding : session().findings) {
      if (finding.diagnostic.kind != kind_) continue;
      {
        // Errors are reported as warnings, because clang-tidy applies no fixes to sources with errors.
        clang::DiagnosticBuilder builder = diag(begin_of(finding.diagnostic.range, *finding.map), "%0");
        builder << finding.diagnostic.message;
        add_range(builder, finding.diagnostic.range, *finding.map);
        add_fixits(builder, finding.diagnostic, *finding.map);
      }
      for (const Note& note : finding.diagnostic.notes) {
        clang::DiagnosticBuilder builder = diag(begin_of(note.range, *finding.map), "%0", clang::DiagnosticIDs::Note);
        builder << note.message;
      }
    }
  }

 private:
  DiagnosticKind kind_;
};

class StructuredModule final : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
    constexpr DiagnosticKind kinds[] = {
#define STRUCTURED_DIAGNOSTIC(identifier, name, severity, summary) DiagnosticKind::identifier,
#include "check/diagnostic_kinds.def"
    };
    for (DiagnosticKind kind : kinds) {
      factories.registerCheckFactory(name_of(kind),
                                     [kind](llvm::StringRef name, clang::tidy::ClangTidyContext* context) {
                                       return std::make_unique<StructuredCheck>(name, context, kind);
                                     });
    }
  }
};

class TidyAction final : public clang::PluginASTAction {
 public:
  bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef source) override {
    // clang-tidy has just created the checks of this source, if any is enabled.
    Session& found = session();
    found.findings.clear();
    bool is_wanted = std::exchange(found.is_wanted, false);
    if (!is_wanted || instance.getLangOpts().CUDAIsDevice) {
      silence_unknown_attributes(instance.getPreprocessor());
      return std::make_unique<clang::ASTConsumer>();
    }
    if (!found.unknown_dialect.empty()) {
      report_error(instance.getDiagnostics(), unknown_dialect(found.unknown_dialect));
      return std::make_unique<clang::ASTConsumer>();
    }
    return std::make_unique<CheckingConsumer>(
        instance, source, found.options,
        [](const Diagnostic& diagnostic, const SourceMap& map) { session().findings.push_back({diagnostic, &map}); });
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

struct RegisterAttributes {
  RegisterAttributes() { register_attributes(); }
};
const RegisterAttributes register_attributes_at_load;

const clang::FrontendPluginRegistry::Add<TidyAction> register_action(
    "structured-tidy", "find what the checks of functions with [[structured::...]] attributes report");

const clang::tidy::ClangTidyModuleRegistry::Add<StructuredModule> register_module(
    "structured", "checks of functions that carry [[structured::...]] attributes");

}  // namespace
}  // namespace structured::gen
