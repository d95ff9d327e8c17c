// The clang-tidy module: one check for each kind of diagnostic, under the kind's own name.
//
//   clang-tidy-19 --load=StructuredTidy.so --checks='structured-*' source.cpp
//
// Options, for all checks at once: StructuredNamespace, StructuredDialect, StructuredSignatures, StructuredImports (a
// list, with `;` between), as the plugin's.
#include "check/diagnostic.h"
#include "checking_consumer.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "report.h"
#include "scan/attribute_registration.h"
#include "scan/attribute_watch.h"

namespace structured::gen {
namespace {

/// What the consumer has found in the source that is being parsed, for the checks to report. A check of clang-tidy's
/// sees the finished tree alone, and not the parser that made it; a plugin's consumer, which runs before it, sees both.
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
    options.target = find_target(dialect);
    found.unknown_dialect = options.target ? "" : dialect.str();
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
        // Errors too are warnings here: clang-tidy mends nothing in a source with errors.
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
    // The checks of this source have been made just before, if any is wanted.
    Session& found = session();
    found.findings.clear();
    bool is_wanted = std::exchange(found.is_wanted, false);
    if (!is_wanted || instance.getLangOpts().CUDAIsDevice) {
      silence_unknown_attributes(instance.getPreprocessor());
      return std::make_unique<clang::ASTConsumer>();
    }
    if (!found.unknown_dialect.empty()) {
      report_error(instance.getDiagnostics(),
                   "unknown dialect `" + found.unknown_dialect + "`; there are native and aten");
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
