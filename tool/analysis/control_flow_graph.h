// Control-flow graph of a function, with its loops and its changes to variables.
#pragma once

#include <memory>
#include <vector>

#include "analysis/variable_changes.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
class CallExpr;
class DeclRefExpr;
class FunctionDecl;
}  // namespace clang

namespace structured::gen {

/// Returns the free or static function that `call` names if each argument initializes a parameter; null otherwise.
const clang::FunctionDecl* plain_callee(const clang::CallExpr& call);

class ControlFlowGraph {
 public:
  /// Returns null if Clang cannot build a graph. `definition` must have a body.
  static std::unique_ptr<ControlFlowGraph> make(const clang::FunctionDecl& definition, clang::ASTContext& context);

  const clang::CFG& graph() const { return *graph_; }
  const VariableChanges& changes() const { return changes_; }

  /// A strongly connected component: the blocks of one loop, nested loops included.
  using Loop = std::vector<const clang::CFGBlock*>;
  /// The outermost loop around `block`, or null.
  const Loop* loop_of(const clang::CFGBlock& block) const;

  static bool leads_to(const clang::CFGBlock& block, const clang::CFGBlock& next);
  /// The block that hands an exception thrown in `block` to the handlers around it, or null.
  static const clang::CFGBlock* handlers_of(const clang::CFGBlock& block);

  /// Whether the enclosing expression shows how this reference uses the variable: as the object of a member access or
  /// as a function argument.
  bool is_plain_use(const clang::DeclRefExpr& reference) const { return plain_uses_.contains(&reference); }

 private:
  ControlFlowGraph(std::unique_ptr<clang::CFG> graph, const clang::Stmt& body);

  std::unique_ptr<clang::CFG> graph_;
  VariableChanges changes_;
  std::vector<Loop> loops_;
  llvm::DenseMap<const clang::CFGBlock*, unsigned> loop_of_;
  llvm::SmallPtrSet<const clang::DeclRefExpr*, 16> plain_uses_;
};

}  // namespace structured::gen
