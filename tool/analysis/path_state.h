// State of a path through a body: values of variables and the path condition.
#pragma once

#include <map>

#include "analysis/control_flow_graph.h"
#include "analysis/path_conditions.h"
#include "analysis/symbolic_expr_builder.h"

namespace structured::gen {

/// A copyable value; each path has its own.
struct PathState {
  std::map<const clang::ValueDecl*, const SymbolicExpr*> values;
  std::map<const clang::Stmt*, const SymbolicExpr*> results;  ///< results of calls that were followed
  PathConditions conditions;
  friend bool operator==(const PathState&, const PathState&) = default;
};

/// Evaluates expressions at the current point of a path and executes statements on its state.
class PathEvaluator final : EvaluationScope {
 public:
  PathEvaluator(SymbolicExprContext& exprs, const clang::ASTContext& context, const VariableChanges& changes,
                PathState& state)
      : exprs_(exprs), changes_(changes), state_(state), builder_(exprs, context, *this) {}

  const SymbolicExpr* evaluate(const clang::Expr* expression) { return builder_.build(expression); }
  const SymbolicExpr* condition(const clang::Expr* expression) { return builder_.condition(expression); }

  /// Applies the changes that `statement` itself makes to variables; its subexpressions are executed separately.
  void execute(const clang::Stmt& statement);
  /// Makes the value of `variable` unknown.
  void forget(const clang::ValueDecl& variable);

 private:
  const SymbolicExpr* variable(const clang::ValueDecl& variable) override;
  const SymbolicExpr* result(const clang::CallExpr& call) override;
  std::optional<bool> decision(const SymbolicExpr* condition) override { return state_.conditions.value_of(condition); }

  SymbolicExprContext& exprs_;
  const VariableChanges& changes_;
  PathState& state_;
  SymbolicExprBuilder builder_;
};

}  // namespace structured::gen
