#include "analysis/path_analysis.h"

#include <set>

#include "analysis/definitions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

clang::ASTContext& PathAnalysis::context() const { return sema_.getASTContext(); }

const clang::FunctionDecl* PathAnalysis::definition_of(const clang::FunctionDecl& function) {
  return gen::definition_of(function, sema_);
}

const ControlFlowGraph* PathAnalysis::graph_of(const clang::FunctionDecl& definition) {
  const auto [entry, is_new] = graphs_.try_emplace(&definition);
  if (is_new) entry->second = ControlFlowGraph::make(definition, context());
  return entry->second.get();
}

bool PathAnalysis::never_returns(const clang::FunctionDecl& function) {
  // Functions in headers are too many to analyze; those are expected to be declared [[noreturn]].
  if (!function.getReturnType()->isVoidType() || !is_in_source(function)) return false;
  const clang::FunctionDecl* definition = definition_of(function);
  if (!definition) return false;
  const auto [entry, is_new] = never_returns_.try_emplace(definition, false);  // answer for recursive calls
  if (!is_new) return entry->second;
  const ControlFlowGraph* graph = graph_of(*definition);
  if (!graph) return false;
  const auto may_continue = [&](const clang::CFGBlock& block) {
    return !block.hasNoReturnElement() && llvm::none_of(block, [&](const clang::CFGElement& element) {
      const auto statement = element.getAs<clang::CFGStmt>();
      if (!statement) return false;
      if (llvm::isa<clang::CXXThrowExpr>(statement->getStmt())) return true;
      const auto* call = llvm::dyn_cast<clang::CallExpr>(statement->getStmt());
      const clang::FunctionDecl* callee = call ? plain_callee(*call) : nullptr;
      return callee && never_returns(*callee);
    });
  };
  std::set<const clang::CFGBlock*> seen;
  std::vector<const clang::CFGBlock*> pending{&graph->graph().getEntry()};
  while (!pending.empty()) {
    const clang::CFGBlock* block = pending.back();
    pending.pop_back();
    if (!seen.insert(block).second || !may_continue(*block)) continue;
    for (const clang::CFGBlock::AdjacentBlock& successor : block->succs()) {
      if (successor.getReachableBlock()) pending.push_back(successor.getReachableBlock());
    }
  }
  return never_returns_[definition] = seen.count(&graph->graph().getExit()) == 0;
}

}  // namespace structured::gen
