// Translates Clang expressions to symbolic expressions.
#pragma once

#include <optional>

#include "analysis/symbolic_expr.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

namespace structured::gen {

/// Whether `type` is a class named `Tensor` or a reference to one.
bool is_tensor(clang::QualType type);

/// Returns the name, or "" for null and for declarations without an identifier such as operators.
llvm::StringRef name_of(const clang::NamedDecl* declaration);

/// Returns the variable or structured binding that `expression` names, ignoring casts, or null.
const clang::ValueDecl* variable_of(const clang::Expr* expression);

/// Meaning of variables, calls and conditions at a program point.
class EvaluationScope {
 public:
  virtual ~EvaluationScope() = default;
  /// Returns the value of `variable`; never null.
  virtual const SymbolicExpr* variable(const clang::ValueDecl& variable) = 0;
  /// Returns the result of a call if it is known; null otherwise.
  virtual const SymbolicExpr* result(const clang::CallExpr&) { return nullptr; }
  /// Returns the value of `condition` if the path condition decides it.
  virtual std::optional<bool> decision(const SymbolicExpr*) { return std::nullopt; }
};

class SymbolicExprBuilder {
 public:
  SymbolicExprBuilder(SymbolicExprContext& exprs, const clang::ASTContext& context, EvaluationScope& scope)
      : exprs_(exprs), context_(context), scope_(scope) {}

  const SymbolicExpr* build(const clang::Expr* expression);
  const SymbolicExpr* condition(const clang::Expr* expression) { return exprs_.condition(build(expression)); }

 private:
  const SymbolicExpr* build_cast(const clang::CastExpr& cast);
  const SymbolicExpr* build_unary(const clang::UnaryOperator& op);
  const SymbolicExpr* build_binary(const clang::BinaryOperator& op);
  const SymbolicExpr* build_comparison(clang::BinaryOperatorKind kind, const clang::Expr* left,
                                       const clang::Expr* right, const clang::Expr& whole);
  const SymbolicExpr* build_reference(const clang::DeclRefExpr& reference);
  const SymbolicExpr* build_member(const clang::MemberExpr& member);
  const SymbolicExpr* build_call(const clang::CallExpr& call);
  const SymbolicExpr* build_method_call(const clang::CXXMemberCallExpr& call);
  const SymbolicExpr* build_operator_call(const clang::CXXOperatorCallExpr& call);
  const SymbolicExpr* build_construction(const clang::CXXConstructExpr& construction);

  /// Builds `name(operand, ...)`, which depends on the inputs of all operands.
  template <class Range>
  const SymbolicExpr* apply(llvm::StringRef name, const Range& operands, const clang::Expr& whole);
  const SymbolicExpr* presence(const SymbolicExpr* optional);
  std::optional<const SymbolicExpr*> constant(const clang::Expr& expression);
  const SymbolicExpr* unknown(const clang::Expr& expression);

  SymbolicExprContext& exprs_;
  const clang::ASTContext& context_;
  EvaluationScope& scope_;
  unsigned depth_ = 0;
};

}  // namespace structured::gen
