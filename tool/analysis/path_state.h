// What a path through a body knows: the values of variables, and which way conditions went.
#pragma once

#include <map>

#include "analysis/control_flow_graph.h"
#include "analysis/path_conditions.h"
#include "analysis/symbolic_expr_builder.h"

namespace structured::gen {

/// A value: each path has its own copy.
struct PathState {
  std::map<const clang::ValueDecl*, const SymbolicExpr*> values;
  std::map<const clang::Stmt*, const SymbolicExpr*> results;  ///< of calls that were followed
  PathConditions conditions;
  friend bool operator==(const PathState&, const PathState&) = default;
};

/// Reads expressions where a path has come to, and makes it go on.
class PathReader final : Environment {
 public:
  PathReader(SymbolicExprContext& terms, const clang::ASTContext& context, const VariableChanges& changes,
             PathState& state)
      : exprs_(terms), changes_(changes), state_(state), reader_(terms, context, *this) {}

  const SymbolicExpr* read(const clang::Expr* expression) { return reader_.read(expression); }
  const SymbolicExpr* truth(const clang::Expr* expression) { return reader_.truth(expression); }

  /// Takes note of what `statement` itself, its parts aside, does to variables.
  void pass(const clang::Stmt& statement);
  /// A variable gets a value of which nothing is known.
  void forget(const clang::ValueDecl& variable);

 private:
  const SymbolicExpr* variable(const clang::ValueDecl& variable) override;
  const SymbolicExpr* result(const clang::CallExpr& call) override;
  std::optional<bool> decision(const SymbolicExpr* truth) override { return state_.conditions.value_of(truth); }

  SymbolicExprContext& exprs_;
  const VariableChanges& changes_;
  PathState& state_;
  SymbolicExprBuilder reader_;
};

}  // namespace structured::gen
