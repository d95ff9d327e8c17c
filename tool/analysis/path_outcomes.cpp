// What single statements do to outputs, and what shared by all walks.
#include <utility>

#include "analysis/definitions.h"
#include "analysis/path_walker.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

constexpr unsigned helper_depth_limit = 16;

bool is_written_reference(clang::QualType type) {
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

std::vector<PathOutcome> single(PathEffect effect, const PathState& state) {
  std::vector<PathOutcome> result;
  result.push_back({std::move(effect), state, nullptr});
  return result;
}

// Back in the caller: of the callee's variables remains what they referred to.
void leave(PathOutcome& outcome, const clang::CallExpr& call, const clang::FunctionDecl& callee,
           const PathState& before) {
  std::map<const clang::ValueDecl*, const SymbolicExpr*> values = before.values;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::ValueDecl* variable = variable_of(call.getArg(i));
    if (!variable || !is_written_reference(callee.getParamDecl(i)->getType())) continue;
    values.insert_or_assign(variable, outcome.state.values.at(callee.getParamDecl(i)));
  }
  outcome.state.values = std::move(values);
  outcome.state.results = before.results;
  if (outcome.result) outcome.state.results.insert_or_assign(&call, outcome.result);
  outcome.result = nullptr;
}

}  // namespace

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
  // Those of headers say so by an attribute, and are many.
  if (!function.getReturnType()->isVoidType() || !is_in_source(function)) return false;
  const clang::FunctionDecl* definition = definition_of(function);
  if (!definition) return false;
  const auto [entry, is_new] = never_returns_.try_emplace(definition, false);  // which a recursive call finds
  if (!is_new) return entry->second;
  const ControlFlowGraph* graph = graph_of(*definition);
  if (!graph) return false;
  const auto goes_on = [&](const clang::CFGBlock& block) {
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
    if (!seen.insert(block).second || !goes_on(*block)) continue;
    for (const clang::CFGBlock::AdjacentBlock& successor : block->succs()) {
      if (successor.getReachableBlock()) pending.push_back(successor.getReachableBlock());
    }
  }
  return never_returns_[definition] = seen.count(&graph->graph().getExit()) == 0;
}

// Nothing if the statement does nothing to outputs; its parts are statements of their own.
std::optional<PathWalker::Outcomes> PathWalker::outcomes_of(const clang::Stmt& statement, PathState& state) {
  bool is_base_lost = false;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement)) {
    is_base_lost = llvm::any_of(lambda->captures(), [&](const clang::LambdaCapture& capture) {
      return capture.capturesVariable() && capture.getCapturedVar() == &base_;
    });
  } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement)) {
    is_base_lost = reference->getDecl() == &base_ && !graph_.is_plain_use(*reference);
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    return outcomes_of_call(*call, state);
  }
  if (!is_base_lost) return std::nullopt;
  return single(PathEffect::of_any_output(), state);
}

std::optional<PathWalker::Outcomes> PathWalker::outcomes_of_call(const clang::CallExpr& call, PathState& state) {
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
      member && member->getMethodDecl() && variable_of(member->getImplicitObjectArgument()) == &base_) {
    const auto effect = effect_of_member(*member, state);
    if (!effect) return std::nullopt;
    Outcomes result = single(*effect, state);
    reader(result.front().state).pass(call);
    return result;
  }
  const clang::FunctionDecl* callee = plain_callee(call);
  if (!callee) return std::nullopt;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    if (variable_of(call.getArg(i)) == &base_) return outcomes_of_helper(call, *callee, i, state);
  }
  if (analysis_.never_returns(*callee)) return Outcomes();
  return std::nullopt;
}

std::optional<PathEffect> PathWalker::effect_of_member(const clang::CXXMemberCallExpr& call, PathState& state) {
  const clang::CXXMethodDecl& method = *call.getMethodDecl();
  const llvm::StringRef name = name_of(&method);
  if (!name.starts_with("set_output")) {
    if (method.isConst() || name == "maybe_get_output") return std::nullopt;
    return PathEffect::of_any_output();
  }
  if (name == "set_output_names") return std::nullopt;  // of an output that is set already
  std::int64_t index = 0;                               // `set_output(sizes, options)` means the first
  if (call.getNumArgs() > 0 && call.getArg(0)->getType()->isIntegralOrEnumerationType()) {
    const SymbolicExpr* term = reader(state).read(call.getArg(0));
    if (term->kind != SymbolicExpr::Kind::constant) return PathEffect::of_any_output();
    index = term->number;
  }
  return PathEffect::of_output(index, call.getSourceRange());
}

// A function that receives the base: its own paths, with this call as the place of what they do.
PathWalker::Outcomes PathWalker::outcomes_of_helper(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                                                    unsigned base, PathState& state) {
  const clang::FunctionDecl* definition = analysis_.definition_of(callee);
  const ControlFlowGraph* graph = definition ? analysis_.graph_of(*definition) : nullptr;
  if (!graph || analysis_.active.size() == helper_depth_limit || llvm::is_contained(analysis_.active, definition)) {
    Outcomes result = single(PathEffect::of_any_output(), state);
    reader(result.front().state).pass(call);
    return result;
  }
  PathState inner = state;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    inner.values.insert_or_assign(definition->getParamDecl(i), reader(state).read(call.getArg(i)));
  }
  analysis_.active.push_back(definition);
  Outcomes result = PathWalker(analysis_, *graph, *definition, *definition->getParamDecl(base)).run(std::move(inner));
  analysis_.active.pop_back();
  for (PathOutcome& outcome : result) {
    outcome.effect.end = {};
    for (auto& [index, setting] : outcome.effect.outputs) {
      if (setting.count == 1) setting.first = call.getSourceRange();
    }
    leave(outcome, call, *definition, state);
  }
  return result;
}

}  // namespace structured::gen
