// Clang's expressions into terms.
#pragma once

#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "scan/terms.h"

namespace structured::gen {

/// A class called `Tensor`, or a reference to one.
bool is_tensor(clang::QualType type);

/// Its name; empty for null, and for what has none, such as an operator.
llvm::StringRef name_of(const clang::NamedDecl* declaration);

/// The variable (or structured binding) that an expression names, casts aside; null if it names none.
const clang::ValueDecl* variable_of(const clang::Expr* expression);

/// What expressions mean where they stand.
class TermScope {
 public:
  virtual ~TermScope() = default;
  /// The variable's value. Never null.
  virtual const Term* variable(const clang::ValueDecl& variable) = 0;
  /// What a call returned, where that is known better than by its callee and arguments. Null otherwise.
  virtual const Term* result(const clang::CallExpr&) { return nullptr; }
  /// Which way a condition went.
  virtual std::optional<bool> decision(const Term*) { return std::nullopt; }
};

class TermReader {
 public:
  TermReader(Terms& terms, const clang::ASTContext& context, TermScope& scope)
      : terms_(terms), context_(context), scope_(scope) {}

  const Term* read(const clang::Expr* expression);
  const Term* truth(const clang::Expr* expression) { return terms_.truth(read(expression)); }

 private:
  const Term* read_cast(const clang::CastExpr& cast);
  const Term* read_unary(const clang::UnaryOperator& op);
  const Term* read_binary(const clang::BinaryOperator& op);
  const Term* read_comparison(clang::BinaryOperatorKind kind, const clang::Expr* left, const clang::Expr* right,
                              const clang::Expr& whole);
  const Term* read_reference(const clang::DeclRefExpr& reference);
  const Term* read_member(const clang::MemberExpr& member);
  const Term* read_call(const clang::CallExpr& call);
  const Term* read_method_call(const clang::CXXMemberCallExpr& call);
  const Term* read_operator_call(const clang::CXXOperatorCallExpr& call);
  const Term* read_construction(const clang::CXXConstructExpr& construction);

  /// `name(operand, ...)`, with what all operands read.
  template <class Range>
  const Term* apply(llvm::StringRef name, const Range& operands, const clang::Expr& whole);
  const Term* presence(const Term* optional);
  std::optional<const Term*> constant(const clang::Expr& expression);
  const Term* unknown(const clang::Expr& expression);

  Terms& terms_;
  const clang::ASTContext& context_;
  TermScope& scope_;
  unsigned depth_ = 0;
};

}  // namespace structured::gen
