// Clang's expressions into terms.
#pragma once

#include <optional>

#include "analysis/symbolic_expr.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

namespace structured::gen {

/// A class called `Tensor`, or a reference to one.
bool is_tensor(clang::QualType type);

/// Its name; empty for null, and for what has none, such as an operator.
llvm::StringRef name_of(const clang::NamedDecl* declaration);

/// The variable (or structured binding) that an expression names, casts aside; null if it names none.
const clang::ValueDecl* variable_of(const clang::Expr* expression);

/// What expressions mean where they stand.
class Environment {
 public:
  virtual ~Environment() = default;
  /// The variable's value. Never null.
  virtual const SymbolicExpr* variable(const clang::ValueDecl& variable) = 0;
  /// What a call returned, where that is known better than by its callee and arguments. Null otherwise.
  virtual const SymbolicExpr* result(const clang::CallExpr&) { return nullptr; }
  /// Which way a condition went.
  virtual std::optional<bool> decision(const SymbolicExpr*) { return std::nullopt; }
};

class SymbolicExprBuilder {
 public:
  SymbolicExprBuilder(SymbolicExprContext& terms, const clang::ASTContext& context, Environment& scope)
      : exprs_(terms), context_(context), scope_(scope) {}

  const SymbolicExpr* read(const clang::Expr* expression);
  const SymbolicExpr* truth(const clang::Expr* expression) { return exprs_.truth(read(expression)); }

 private:
  const SymbolicExpr* read_cast(const clang::CastExpr& cast);
  const SymbolicExpr* read_unary(const clang::UnaryOperator& op);
  const SymbolicExpr* read_binary(const clang::BinaryOperator& op);
  const SymbolicExpr* read_comparison(clang::BinaryOperatorKind kind, const clang::Expr* left, const clang::Expr* right,
                                      const clang::Expr& whole);
  const SymbolicExpr* read_reference(const clang::DeclRefExpr& reference);
  const SymbolicExpr* read_member(const clang::MemberExpr& member);
  const SymbolicExpr* read_call(const clang::CallExpr& call);
  const SymbolicExpr* read_method_call(const clang::CXXMemberCallExpr& call);
  const SymbolicExpr* read_operator_call(const clang::CXXOperatorCallExpr& call);
  const SymbolicExpr* read_construction(const clang::CXXConstructExpr& construction);

  /// `name(operand, ...)`, with what all operands read.
  template <class Range>
  const SymbolicExpr* apply(llvm::StringRef name, const Range& operands, const clang::Expr& whole);
  const SymbolicExpr* presence(const SymbolicExpr* optional);
  std::optional<const SymbolicExpr*> constant(const clang::Expr& expression);
  const SymbolicExpr* unknown(const clang::Expr& expression);

  SymbolicExprContext& exprs_;
  const clang::ASTContext& context_;
  Environment& scope_;
  unsigned depth_ = 0;
};

}  // namespace structured::gen
