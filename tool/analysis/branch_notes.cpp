// Branches after which a path can no longer set an output.
#include "analysis/path_walker.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// Returns the label of `choice` that leads to `block`, or null if `block` is reached when no case applies.
const clang::SwitchCase* case_of(const clang::SwitchStmt& choice, const clang::CFGBlock& block) {
  const clang::SwitchCase* label = choice.getSwitchCaseList();
  while (label && label != block.getLabel()) label = label->getNextSwitchCase();
  return label;
}

// Returns nullopt if no source text shows which branch was taken.
std::optional<PathEffect::BranchNote> describe(const clang::CFGBlock& block, const clang::CFGBlock& next) {
  if (&next == ControlFlowGraph::handlers_of(block)) {
    // A throwing element ends its block. A block without elements forwards an exception that other handlers did not
    // match.
    const auto last = block.empty() ? std::nullopt : block.back().getAs<clang::CFGStmt>();
    if (!last) return std::nullopt;
    return PathEffect::BranchNote{BranchNote::Kind::throws, last->getStmt()->getSourceRange()};
  }
  if (const auto* handler = llvm::dyn_cast_or_null<clang::CXXCatchStmt>(next.getLabel())) {
    return PathEffect::BranchNote{BranchNote::Kind::caught, {handler->getCatchLoc(), handler->getCatchLoc()}};
  }
  const clang::Stmt* terminator = block.getTerminatorStmt();
  if (!terminator) return std::nullopt;  // the edge taken if nothing is thrown
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(terminator)) {
    const clang::SwitchCase* label = case_of(*choice, next);
    if (label)
      return PathEffect::BranchNote{BranchNote::Kind::case_applies, {label->getKeywordLoc(), label->getColonLoc()}};
    return PathEffect::BranchNote{BranchNote::Kind::no_case_applies, {choice->getSwitchLoc(), choice->getRParenLoc()}};
  }
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(terminator)) {
    return PathEffect::BranchNote{BranchNote::Kind::loop_ends, {loop->getForLoc(), loop->getRParenLoc()}};
  }
  const clang::Stmt* condition = block.getLastCondition();
  if (!condition) condition = block.getTerminatorCondition();
  if (!condition) return std::nullopt;
  const bool is_true = block.succ_begin()->getReachableBlock() == &next;
  return PathEffect::BranchNote{is_true ? BranchNote::Kind::when_true : BranchNote::Kind::when_false,
                                condition->getSourceRange()};
}

}  // namespace

void PathWalker::add_branch_notes(Path& path) {
  for (const auto& [index, blocks] : setting_) {
    if (path.effect.may_set(index)) continue;
    for (const auto& [block, next] : path.branches) {
      if (!leads_to_setting(*block, index) || leads_to_setting(*next, index)) continue;
      // If this block sets the output on other paths, a callee made the decision.
      const auto branch_note = blocks.count(block) == 0 ? describe(*block, *next) : std::nullopt;
      if (branch_note) path.effect.branch_notes.emplace(index, *branch_note);
      break;
    }
  }
}

bool PathWalker::leads_to_setting(const clang::CFGBlock& block, int64_t index) {
  const auto [entry, is_new] = to_setting_.try_emplace(index);
  std::set<const clang::CFGBlock*>& known = entry->second;
  if (is_new) {
    std::vector<const clang::CFGBlock*> pending(setting_[index].begin(), setting_[index].end());
    while (!pending.empty()) {
      const clang::CFGBlock* next = pending.back();
      pending.pop_back();
      if (!known.insert(next).second) continue;
      for (const clang::CFGBlock::AdjacentBlock& before : next->preds()) {
        if (before.getReachableBlock()) pending.push_back(before.getReachableBlock());
      }
    }
  }
  return known.count(&block) != 0;
}

}  // namespace structured::gen
