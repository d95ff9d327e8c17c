#include "scan/definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

namespace structured::gen {

const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function, clang::Sema& sema) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition) && function.isImplicitlyInstantiable()) {
    const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    if (!pattern || !pattern->hasBody()) return nullptr;
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
