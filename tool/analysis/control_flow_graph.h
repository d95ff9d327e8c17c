// The control-flow graph of a function, with what following paths through it needs to know.
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

/// The function that `call` names, if it is no member with an object and its parameters take the call's arguments.
const clang::FunctionDecl* plain_callee(const clang::CallExpr& call);

class ControlFlowGraph {
 public:
  /// Null if Clang cannot make a graph. `definition` has the body.
  static std::unique_ptr<ControlFlowGraph> make(const clang::FunctionDecl& definition, clang::ASTContext& context);

  const clang::CFG& graph() const { return *graph_; }
  const VariableChanges& changes() const { return changes_; }

  /// Blocks from which a path leads back to them: all of one loop, the loops inside it included.
  using Loop = std::vector<const clang::CFGBlock*>;
  /// The outermost loop around `block`, or null.
  const Loop* loop_of(const clang::CFGBlock& block) const;

  static bool leads_to(const clang::CFGBlock& block, const clang::CFGBlock& next);
  /// The block that hands an exception thrown in `block` to the handlers around it, or null.
  static const clang::CFGBlock* handlers_of(const clang::CFGBlock& block);

  /// Whether what is done by this use of a variable can be told from the expression around it: it is the object of a
  /// member, or the argument of a function.
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
