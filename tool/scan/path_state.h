// What a path through a body knows: the values of variables, and which way conditions went.
#pragma once

#include <map>

#include "scan/function_graph.h"
#include "scan/path_conditions.h"
#include "scan/term_reader.h"

namespace structured::gen {

/// A value: each path has its own copy.
struct PathState {
  std::map<const clang::ValueDecl*, const Term*> values;
  std::map<const clang::Stmt*, const Term*> results;  ///< of calls that were followed
  PathConditions conditions;
  friend bool operator==(const PathState&, const PathState&) = default;
};

/// Reads expressions where a path has come to, and makes it go on.
class PathReader final : TermScope {
 public:
  PathReader(Terms& terms, const clang::ASTContext& context, const VariableChanges& changes, PathState& state)
      : terms_(terms), changes_(changes), state_(state), reader_(terms, context, *this) {}

  const Term* read(const clang::Expr* expression) { return reader_.read(expression); }
  const Term* truth(const clang::Expr* expression) { return reader_.truth(expression); }

  /// Takes note of what `statement` itself, its parts aside, does to variables.
  void pass(const clang::Stmt& statement);
  /// A variable gets a value of which nothing is known.
  void forget(const clang::ValueDecl& variable);

 private:
  const Term* variable(const clang::ValueDecl& variable) override;
  const Term* result(const clang::CallExpr& call) override;
  std::optional<bool> decision(const Term* truth) override { return state_.conditions.value_of(truth); }

  Terms& terms_;
  const VariableChanges& changes_;
  PathState& state_;
  TermReader reader_;
};

}  // namespace structured::gen
