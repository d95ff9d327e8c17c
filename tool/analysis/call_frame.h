// One call of a function whose body is read without regard to paths: what its variables mean to the caller.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/symbolic_expr_builder.h"
#include "analysis/variable_changes.h"

namespace structured::gen {

/// `Tensor`, an optional one, or a list of either.
bool holds_tensors(clang::QualType type);

class CallFrame final : Environment {
 public:
  /// The outermost call: parameters stand for themselves, by the names that `declaration` gives them.
  CallFrame(SymbolicExprContext& terms, const clang::ASTContext& context, const clang::FunctionDecl& definition,
            const clang::FunctionDecl& declaration);
  /// A call from `caller`; every argument has a parameter.
  CallFrame(CallFrame& caller, const clang::FunctionDecl& definition, const clang::CallExpr& call);

  const clang::FunctionDecl& function() const { return definition_; }
  const CallFrame* caller() const { return caller_; }

  const SymbolicExpr* read(const clang::Expr* expression) { return reader_.read(expression); }
  const SymbolicExpr* truth(const clang::Expr* expression) { return reader_.truth(expression); }
  /// The outermost call's parameter whose tensor handle, not a copy of it, `expression` is.
  std::optional<std::string> handle(const clang::Expr* expression) const;

 private:
  const SymbolicExpr* variable(const clang::ValueDecl& variable) override;

  SymbolicExprContext& exprs_;
  const clang::ASTContext& context_;
  const clang::FunctionDecl& definition_;
  const CallFrame* caller_ = nullptr;
  VariableChanges changes_;
  SymbolicExprBuilder reader_;
  std::map<const clang::ParmVarDecl*, const SymbolicExpr*> values_;
  std::map<const clang::ParmVarDecl*, std::string> handles_;
};

}  // namespace structured::gen
