#include "analysis/bare_expression.h"

#include "clang/AST/ExprCXX.h"

namespace structured::gen {

const clang::Expr* bare(const clang::Expr* expression) {
  while (true) {
    const clang::Expr* inner = expression->IgnoreParens();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner)) inner = bound->getSubExpr();
    if (const auto* argument = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner)) {
      inner = argument->getReplacement();
    }
    if (const auto* init = llvm::dyn_cast<clang::CXXDefaultArgExpr>(inner)) inner = init->getExpr();
    if (const auto* init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(inner)) inner = init->getExpr();
    if (const auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(inner); opaque && opaque->getSourceExpr()) {
      inner = opaque->getSourceExpr();
    }
    if (inner == expression) return expression;
    expression = inner;
  }
}

}  // namespace structured::gen
