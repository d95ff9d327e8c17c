#include "analysis/path_state.h"

#include "clang/AST/DeclCXX.h"

namespace structured::gen {

void PathEvaluator::execute(const clang::Stmt& statement) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* declaration : declared->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (!variable) continue;
      if (const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
        for (const clang::BindingDecl* binding : bindings->bindings()) forget(*binding);
      }
      if (!variable->getInit()) {
        forget(*variable);
      } else if (variable->isLocalVarDecl() && !variable->isStaticLocal()) {
        state_.values.insert_or_assign(variable, evaluate(variable->getInit()));
      }
    }
    return;
  }
  for_each_change(statement, [&](const clang::ValueDecl& variable, const clang::Expr* value) {
    if (!value) return forget(variable);
    state_.values.insert_or_assign(&variable, evaluate(value));
  });
}

void PathEvaluator::forget(const clang::ValueDecl& variable) {
  state_.values.insert_or_assign(&variable, exprs_.unknown(variable.getType().getNonReferenceType()->isBooleanType()));
}

const SymbolicExpr* PathEvaluator::variable(const clang::ValueDecl& variable) {
  const bool is_bool = variable.getType().getNonReferenceType()->isBooleanType();
  if (changes_.is_shared(&variable)) return exprs_.unknown(is_bool);
  const auto known = state_.values.find(&variable);
  if (known != state_.values.end()) return known->second;
  const auto* global = llvm::dyn_cast<clang::VarDecl>(&variable);
  if (global && !global->hasLocalStorage()) {
    if (!global->getType().isConstQualified()) return exprs_.unknown(is_bool);
    return exprs_.opaque({global->getQualifiedNameAsString(), is_bool, false, {}});
  }
  return state_.values.emplace(&variable, exprs_.unknown(is_bool)).first->second;
}

const SymbolicExpr* PathEvaluator::result(const clang::CallExpr& call) {
  const auto known = state_.results.find(&call);
  return known == state_.results.end() ? nullptr : known->second;
}

}  // namespace structured::gen
