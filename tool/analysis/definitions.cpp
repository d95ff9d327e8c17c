#include "analysis/definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"

namespace structured::gen {
namespace {

// Restores the translation unit's scope, which Sema drops at the end of the source. Instantiation needs it to declare a
// builtin function for the first time, for instance to assign arrays within a class.
class ScopeOfUnit {
 public:
  explicit ScopeOfUnit(clang::Sema& sema)
      : sema_(sema), scope_(nullptr, clang::Scope::DeclScope, sema.getDiagnostics()), is_needed_(!sema.TUScope) {
    if (!is_needed_) return;
    scope_.setEntity(sema.getASTContext().getTranslationUnitDecl());
    sema.TUScope = &scope_;
  }
  ScopeOfUnit(const ScopeOfUnit&) = delete;
  ScopeOfUnit& operator=(const ScopeOfUnit&) = delete;
  ~ScopeOfUnit() {
    if (is_needed_) sema_.TUScope = nullptr;
  }

 private:
  clang::Sema& sema_;
  clang::Scope scope_;
  bool is_needed_;
};

}  // namespace

const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function, clang::Sema& sema) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition) && function.isImplicitlyInstantiable()) {
    const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    if (!pattern || !pattern->hasBody()) return nullptr;
    const ScopeOfUnit scope(sema);
    sema.InstantiateFunctionDefinition(function.getLocation(), const_cast<clang::FunctionDecl*>(&function));
    function.hasBody(definition);
  }
  const bool is_readable = definition && definition->getBody() && !definition->isInvalidDecl() &&
                           !definition->isDependentContext() && !definition->hasSkippedBody();
  return is_readable ? definition : nullptr;
}

bool is_in_source(const clang::FunctionDecl& function) {
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  return sources.isInMainFile(sources.getExpansionLoc(function.getLocation()));
}

}  // namespace structured::gen
