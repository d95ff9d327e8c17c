// Effects of single statements on outputs.
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

bool is_mutable_reference(clang::QualType type) {
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

std::vector<PathOutcome> single(PathEffect effect, const PathState& state) {
  std::vector<PathOutcome> result;
  result.push_back({std::move(effect), state, nullptr});
  return result;
}

// Leaves the callee: keeps only the values of variables that the call passed by reference.
void leave(PathOutcome& outcome, const clang::CallExpr& call, const clang::FunctionDecl& callee,
           const PathState& before) {
  std::map<const clang::ValueDecl*, const SymbolicExpr*> values = before.values;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::ValueDecl* variable = variable_of(call.getArg(i));
    if (!variable || !is_mutable_reference(callee.getParamDecl(i)->getType())) continue;
    values.insert_or_assign(variable, outcome.state.values.at(callee.getParamDecl(i)));
  }
  outcome.state.values = std::move(values);
  outcome.state.results = before.results;
  if (outcome.result) outcome.state.results.insert_or_assign(&call, outcome.result);
  outcome.result = nullptr;
}

}  // namespace

// Returns nullopt if the statement has no effect on outputs. Subexpressions are visited separately.
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
    evaluator(result.front().state).execute(call);
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
  if (name == "set_output_names") return std::nullopt;  // applies to an output that is already set
  int64_t index = 0;                                    // `set_output(sizes, options)` sets output 0
  if (call.getNumArgs() > 0 && call.getArg(0)->getType()->isIntegralOrEnumerationType()) {
    const SymbolicExpr* expr = evaluator(state).evaluate(call.getArg(0));
    if (expr->kind != SymbolicExpr::Kind::constant) return PathEffect::of_any_output();
    index = expr->number;
  }
  return PathEffect::of_output(index, call.getSourceRange());
}

// Follows a call that passes the base. All effects of the callee are located at this call.
PathWalker::Outcomes PathWalker::outcomes_of_helper(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                                                    unsigned base, PathState& state) {
  const clang::FunctionDecl* definition = analysis_.definition_of(callee);
  const ControlFlowGraph* graph = definition ? analysis_.graph_of(*definition) : nullptr;
  if (!graph || analysis_.active.size() == helper_depth_limit || llvm::is_contained(analysis_.active, definition)) {
    Outcomes result = single(PathEffect::of_any_output(), state);
    evaluator(result.front().state).execute(call);
    return result;
  }
  PathState inner = state;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    inner.values.insert_or_assign(definition->getParamDecl(i), evaluator(state).evaluate(call.getArg(i)));
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
