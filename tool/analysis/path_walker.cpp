#include "analysis/path_walker.h"

#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

std::vector<PathOutcome> PathWalker::run(PathState start) {
  Path first;
  first.block = &graph_.graph().getEntry();
  first.state = std::move(start);
  pending_.push_back(std::move(first));
  while (!pending_.empty() && analysis_.may_step()) {
    Path path = std::move(pending_.back());
    pending_.pop_back();
    walk(std::move(path));
  }
  return outcomes();
}

void PathWalker::walk(Path path) {
  const clang::CFGBlock& block = *path.block;
  while (path.element < block.size()) {
    const auto statement = block[path.element++].getAs<clang::CFGStmt>();
    if (statement && !pass(path, *statement->getStmt())) return;
  }
  if (!block.hasNoReturnElement()) follow(path);
}

// Returns false if the path ended or was split.
bool PathWalker::pass(Path& path, const clang::Stmt& statement) {
  auto outcomes = outcomes_of(statement, path.state);
  const bool is_throw = llvm::isa<clang::CXXThrowExpr>(statement);
  if (is_throw || llvm::isa<clang::CallExpr>(statement)) {
    if (const clang::CFGBlock* handlers = ControlFlowGraph::handlers_of(*path.block)) {
      Path left = path;
      for (const PathOutcome& outcome : outcomes.value_or(Outcomes())) left.effect.append_perhaps(outcome.effect);
      enter(std::move(left), *handlers);
    }
  }
  if (is_throw) return false;
  if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(&statement)) {
    path.effect.end = end->getBeginLoc();
    if (end->getRetValue()) path.result = evaluator(path.state).evaluate(end->getRetValue());
  }
  if (!outcomes) {
    evaluator(path.state).execute(statement);
    return true;
  }
  for (PathOutcome& outcome : *outcomes) {
    for (const auto& [index, setting] : outcome.effect.outputs) setting_[index].insert(path.block);
    Path branch = path;
    branch.effect.append(outcome.effect);
    branch.state = std::move(outcome.state);
    pending_.push_back(std::move(branch));
  }
  return false;
}

void PathWalker::follow(const Path& path) {
  const clang::CFGBlock& block = *path.block;
  const clang::Stmt* terminator = block.getTerminatorStmt();
  if (const auto* choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(terminator)) return follow_switch(path, *choice);
  if (llvm::isa_and_nonnull<clang::CXXTryStmt>(terminator)) return follow_handlers(path);
  const bool is_decision = terminator && block.succ_size() == 2;
  bool value = true;
  for (const clang::CFGBlock::AdjacentBlock& successor : block.succs()) {
    const bool taken = std::exchange(value, false);
    if (const clang::CFGBlock* next = successor.getReachableBlock()) {
      Path branch = path;
      const SymbolicExpr* condition = is_decision ? condition_of(block, branch.state) : nullptr;
      if (!condition || branch.state.conditions.assume(condition, taken)) enter(std::move(branch), *next);
    }
    if (!terminator) break;  // remaining successors are exception edges
  }
}

void PathWalker::follow_handlers(const Path& path) {
  for (const clang::CFGBlock::AdjacentBlock& successor : path.block->succs()) {
    const clang::CFGBlock* handler = successor.getReachableBlock();
    // An exception that reaches the exit propagates to the caller.
    if (handler && handler != &graph_.graph().getExit()) enter(path, *handler);
  }
}

void PathWalker::follow_switch(Path path, const clang::SwitchStmt& choice) {
  const SymbolicExpr* subject = evaluator(path.state).evaluate(choice.getCond());
  std::vector<const clang::SwitchCase*> labels;
  for (const clang::SwitchCase* label = choice.getSwitchCaseList(); label; label = label->getNextSwitchCase()) {
    labels.push_back(label);
  }
  for (const clang::CFGBlock::AdjacentBlock& successor : path.block->succs()) {
    const clang::CFGBlock* next = successor.getReachableBlock();
    if (!next) continue;
    Path branch = path;
    const auto* label = llvm::dyn_cast_or_null<clang::CaseStmt>(next->getLabel());
    const bool is_possible = label && llvm::is_contained(labels, label)
                                 ? assume_case(branch.state, subject, *label, true)
                                 : llvm::all_of(labels, [&](const clang::SwitchCase* other) {
                                     return assume_case(branch.state, subject, *other, false);
                                   });
    if (is_possible) enter(std::move(branch), *next);
  }
}

bool PathWalker::assume_case(PathState& state, const SymbolicExpr* subject, const clang::SwitchCase& label,
                             bool value) {
  const auto* constant = llvm::dyn_cast<clang::CaseStmt>(&label);
  if (!constant || constant->getRHS()) return true;
  const SymbolicExpr* number = evaluator(state).evaluate(constant->getLHS());
  return state.conditions.assume(analysis_.exprs().equal(subject, number), value);
}

const SymbolicExpr* PathWalker::condition_of(const clang::CFGBlock& block, PathState& state) {
  const clang::Expr* condition = block.getLastCondition();
  if (!condition) {
    // Computed in an earlier block. For `a && b`, the earlier block has decided `a`.
    condition = llvm::dyn_cast_or_null<clang::Expr>(block.getTerminatorCondition());
    while (condition) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
      if (!op || !op->isLogicalOp()) break;
      condition = op->getRHS();
    }
  }
  return condition && !condition->getType()->isVoidType() ? evaluator(state).condition(condition) : nullptr;
}

void PathWalker::enter(Path path, const clang::CFGBlock& next) {
  if (&next == &graph_.graph().getExit()) {
    if (path.block->succ_size() > 1) path.branches.emplace_back(path.block, &next);
    return finish(std::move(path));
  }
  if (const ControlFlowGraph::Loop* loop = graph_.loop_of(next)) {
    if (loop != graph_.loop_of(*path.block)) {
      enter_loop(path, *loop);
    } else if (!path.edges.emplace(path.block, &next).second) {
      return;
    }
    if (!path.entered.emplace(&next, path.effect).second) meet_again(path, next);
  }
  if (path.block->succ_size() > 1) path.branches.emplace_back(path.block, &next);
  path.block = &next;
  path.element = 0;
  pending_.push_back(std::move(path));
}

// The number of iterations is unknown, and so are the values of all variables that the loop changes.
void PathWalker::enter_loop(Path& path, const ControlFlowGraph::Loop& loop) {
  const auto for_each_statement = [&](auto see) {
    for (const clang::CFGBlock* block : loop) {
      for (const clang::CFGElement& element : *block) {
        if (const auto statement = element.getAs<clang::CFGStmt>()) see(*statement->getStmt());
      }
    }
  };
  for_each_statement([&](const clang::Stmt& statement) {
    for_each_change(statement, [&](const clang::ValueDecl& variable, const clang::Expr*) {
      evaluator(path.state).forget(variable);
    });
  });
  PathEffect effect;
  for_each_statement([&](const clang::Stmt& statement) {
    PathState state = path.state;
    for (const PathOutcome& outcome : outcomes_of(statement, state).value_or(Outcomes())) {
      effect.append_perhaps(outcome.effect);
    }
  });
  path.effect.append(effect);
}

// Outputs set since the first visit are set again in the next iteration if every iteration sets them.
void PathWalker::meet_again(Path& path, const clang::CFGBlock& block) {
  std::set<int64_t> set_in_pass;
  const PathEffect& before = path.entered.at(&block);
  for (const auto& [index, setting] : path.effect.outputs) {
    if (before.outputs.count(index) == 0) set_in_pass.insert(index);
  }
  const auto [entry, is_first] = set_in_each_pass_.try_emplace(&block, set_in_pass);
  if (!is_first) std::erase_if(entry->second, [&](int64_t index) { return set_in_pass.count(index) == 0; });
  path.repeated.insert(&block);
}

void PathWalker::finish(Path path) {
  if (!path.effect.end.isValid()) path.effect.end = definition_.getBody()->getEndLoc();
  ended_.push_back(std::move(path));
}

PathWalker::Outcomes PathWalker::outcomes() {
  Outcomes result;
  for (Path& path : ended_) {
    for (const clang::CFGBlock* block : path.repeated) {
      for (const int64_t index : set_in_each_pass_[block]) {
        PathEffect::Setting& setting = path.effect.outputs[index];
        if (setting.count == 1) setting = {2, setting.first, setting.first};
      }
    }
    if (analysis_.active.size() == 1) add_branch_notes(path);
    const bool is_known = llvm::any_of(result, [&](const PathOutcome& known) {
      return known.effect.is_like(path.effect) && known.result == path.result && known.state == path.state;
    });
    if (!is_known) result.push_back({std::move(path.effect), std::move(path.state), path.result});
  }
  return result;
}

}  // namespace structured::gen
