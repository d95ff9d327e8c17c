// State that is shared by all walks through one meta function and the functions that it calls.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "analysis/control_flow_graph.h"
#include "analysis/symbolic_expr.h"

namespace clang {
class Sema;
}

namespace structured::gen {

class PathAnalysis {
 public:
  explicit PathAnalysis(clang::Sema& sema) : sema_(sema) {}

  clang::ASTContext& context() const;
  SymbolicExprContext& exprs() { return exprs_; }
  /// Returns the declaration that has the body, or null if it is not visible.
  const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function);
  /// Returns null if Clang cannot build a graph.
  const ControlFlowGraph* graph_of(const clang::FunctionDecl& definition);
  /// Whether every path of the function visibly throws or ends the program.
  bool never_returns(const clang::FunctionDecl& function);

  /// Returns false once the step budget is exhausted; results are then discarded.
  bool may_step() { return ++steps_ <= step_limit; }
  bool gave_up() const { return steps_ > step_limit; }

  std::vector<const clang::FunctionDecl*> active;  ///< the functions being followed, callers first

 private:
  static constexpr unsigned step_limit = 20000;

  clang::Sema& sema_;
  SymbolicExprContext exprs_;
  unsigned steps_ = 0;
  std::map<const clang::FunctionDecl*, std::unique_ptr<ControlFlowGraph>> graphs_;
  std::map<const clang::FunctionDecl*, bool> never_returns_;
};

}  // namespace structured::gen
