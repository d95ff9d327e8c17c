// Evaluates expressions inside one call of a function, flow-insensitively: a variable that is ever reassigned is
// unknown.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/symbolic_expr_builder.h"
#include "analysis/variable_changes.h"

namespace structured::gen {

/// Whether `type` is `Tensor`, an optional tensor, or a list of either.
bool holds_tensors(clang::QualType type);

class CallFrame final : EvaluationScope {
 public:
  /// Outermost call: the value of each parameter is unknown and has the name in `declaration`.
  CallFrame(SymbolicExprContext& exprs, const clang::ASTContext& context, const clang::FunctionDecl& definition,
            const clang::FunctionDecl& declaration);
  /// A call from `caller` that passes an argument for every parameter.
  CallFrame(CallFrame& caller, const clang::FunctionDecl& definition, const clang::CallExpr& call);

  const clang::FunctionDecl& function() const { return definition_; }
  const CallFrame* caller() const { return caller_; }

  const SymbolicExpr* evaluate(const clang::Expr* expression) { return builder_.build(expression); }
  const SymbolicExpr* condition(const clang::Expr* expression) { return builder_.condition(expression); }
  /// Name of the outermost function's parameter whose tensor handle `expression` denotes; nullopt for a copy.
  std::optional<std::string> handle(const clang::Expr* expression) const;

 private:
  const SymbolicExpr* variable(const clang::ValueDecl& variable) override;

  SymbolicExprContext& exprs_;
  const clang::ASTContext& context_;
  const clang::FunctionDecl& definition_;
  const CallFrame* caller_ = nullptr;
  VariableChanges changes_;
  SymbolicExprBuilder builder_;
  std::map<const clang::ParmVarDecl*, const SymbolicExpr*> values_;
  std::map<const clang::ParmVarDecl*, std::string> handles_;
};

}  // namespace structured::gen
