#include "scan/output_paths.h"

#include <set>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "scan/path_conditions.h"

namespace structured::gen {
namespace {

// Beyond this many blocks visited, all paths of a function together, nothing is claimed about it.
constexpr unsigned step_limit = 20000;
constexpr unsigned helper_depth_limit = 16;

// What a single call does to the outputs: one effect, or several where a helper function has paths of its own.
using CallEffects = std::vector<PathEffect>;

PathEffect any_output() {
  PathEffect effect;
  effect.may_set_any = true;
  return effect;
}

bool refers_to(const clang::Expr* expression, const clang::ParmVarDecl& base) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return reference && reference->getDecl() == &base;
}

// `first` and then `second`: settings of one output add up.
void append(PathEffect& first, const PathEffect& second) {
  first.may_set_any |= second.may_set_any;
  for (const auto& [index, setting] : second.outputs) {
    auto& known = first.outputs[index];
    if (known.count == 0) {
      known = setting;
    } else if (setting.count > 0 && known.count == 1) {
      known.count = 2;
      known.second = setting.first;
    }
  }
}

// By what tells effects apart; places do not.
using EffectKey = std::pair<bool, std::vector<std::pair<std::int64_t, unsigned>>>;
EffectKey key_of(const PathEffect& effect) {
  EffectKey key{effect.may_set_any, {}};
  for (const auto& [index, setting] : effect.outputs) key.second.emplace_back(index, setting.count);
  return key;
}

class Walker {
 public:
  Walker(clang::ASTContext& context, unsigned depth) : context_(context), depth_(depth) {}

  std::optional<std::vector<PathEffect>> run(const clang::FunctionDecl& function, const clang::ParmVarDecl& base) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition) || depth_ > helper_depth_limit || definition->isDependentContext()) {
      return std::nullopt;
    }
    base_ = definition->getParamDecl(base.getFunctionScopeIndex());
    clang::CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    const std::unique_ptr<clang::CFG> graph =
        clang::CFG::buildCFG(definition, definition->getBody(), &context_, options);
    if (!graph) return std::nullopt;
    changed_.emplace(*definition->getBody());
    body_end_ = definition->getBody()->getEndLoc();
    exit_ = &graph->getExit();
    walk(graph->getEntry(), {}, 0);
    if (steps_ > step_limit) return std::nullopt;
    return std::move(result_);
  }

 private:
  using Edge = std::pair<const clang::CFGBlock*, const clang::CFGBlock*>;
  struct Path {
    PathEffect effect;
    PathConditions conditions;
    std::set<Edge> edges;
  };

  void walk(const clang::CFGBlock& block, Path path, std::size_t first_element) {
    if (first_element == 0 && ++steps_ > step_limit) return;
    for (std::size_t i = first_element; i < block.size(); ++i) {
      const auto element = block[static_cast<unsigned>(i)].getAs<clang::CFGStmt>();
      if (!element) continue;
      if (llvm::isa<clang::CXXThrowExpr>(element->getStmt())) return;
      if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(element->getStmt())) {
        path.effect.end = end->getBeginLoc();
      }
      const CallEffects effects = effects_of(*element->getStmt());
      if (effects.empty()) continue;
      for (std::size_t other = 1; other < effects.size(); ++other) {
        Path branch = path;
        append(branch.effect, effects[other]);
        walk(block, std::move(branch), i + 1);
      }
      append(path.effect, effects.front());
    }
    if (!block.hasNoReturnElement()) follow(block, path);
  }

  void follow(const clang::CFGBlock& block, const Path& path) {
    const clang::Stmt* terminator = block.getTerminatorStmt();
    const clang::Expr* condition = block.getLastCondition();
    // A loop's condition changes its value by the work of the body, which need not show.
    const bool is_decision =
        terminator && condition && block.succ_size() == 2 &&
        !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(terminator);
    const auto key = is_decision ? condition_key(*condition, *changed_, context_) : std::nullopt;
    bool value = true;
    for (const clang::CFGBlock::AdjacentBlock& successor : block.succs()) {
      const bool taken = value;
      value = false;
      const clang::CFGBlock* next = successor.getReachableBlock();
      if (!next) continue;
      Path branch = path;
      if (key && !branch.conditions.assume(*key, taken)) continue;
      if (next == exit_) {
        finish(std::move(branch.effect));
      } else if (branch.edges.emplace(&block, next).second) {
        walk(*next, std::move(branch), 0);
      }
    }
  }

  void finish(PathEffect effect) {
    if (!effect.end.isValid()) effect.end = body_end_;
    if (known_.insert(key_of(effect)).second) result_.push_back(std::move(effect));
  }

  CallEffects effects_of(const clang::Stmt& statement) {
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement)) {
      for (const clang::LambdaCapture& capture : lambda->captures()) {
        if (capture.capturesVariable() && capture.getCapturedVar() == base_) return {any_output()};
      }
      return {};
    }
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      const bool escapes = address->getOpcode() == clang::UO_AddrOf && refers_to(address->getSubExpr(), *base_);
      return escapes ? CallEffects{any_output()} : CallEffects{};
    }
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      // Another name for the base: what is done through it is not followed.
      for (const clang::Decl* declaration : declared->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
        if (variable && variable->getType()->isReferenceType() && variable->getInit() &&
            refers_to(variable->getInit(), *base_)) {
          return {any_output()};
        }
      }
      return {};
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
    return call ? effects_of_call(*call) : CallEffects{};
  }

  CallEffects effects_of_call(const clang::CallExpr& call) {
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
        member && member->getMethodDecl() && refers_to(member->getImplicitObjectArgument(), *base_)) {
      return effects_of_member(*member);
    }
    for (unsigned i = 0; i < call.getNumArgs(); ++i) {
      if (refers_to(call.getArg(i), *base_)) return effects_of_helper(call, i);
    }
    return {};
  }

  CallEffects effects_of_member(const clang::CXXMemberCallExpr& call) {
    const clang::CXXMethodDecl& method = *call.getMethodDecl();
    const llvm::StringRef name = method.getDeclName().isIdentifier() ? method.getName() : "";
    if (!name.starts_with("set_output")) {
      const bool only_reads = method.isConst() || name == "maybe_get_output";
      return only_reads ? CallEffects{} : CallEffects{any_output()};
    }
    std::int64_t index = 0;  // `set_output(sizes, options)` means the first
    if (call.getNumArgs() > 0 && call.getArg(0)->getType()->isIntegralOrEnumerationType()) {
      clang::Expr::EvalResult value;
      if (!call.getArg(0)->EvaluateAsInt(value, context_)) return {any_output()};
      index = value.Val.getInt().getExtValue();
    }
    PathEffect effect;
    effect.outputs[index] = {1, call.getSourceRange(), {}};
    return {std::move(effect)};
  }

  // A function that receives the base: its own paths, with this call as the place of what they do.
  CallEffects effects_of_helper(const clang::CallExpr& call, unsigned argument) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee || llvm::isa<clang::CXXMethodDecl>(callee) || argument >= callee->getNumParams()) return {any_output()};
    auto paths = Walker(context_, depth_ + 1).run(*callee, *callee->getParamDecl(argument));
    if (!paths) return {any_output()};
    for (PathEffect& path : *paths) {
      for (auto& [index, setting] : path.outputs) {
        setting.first = call.getSourceRange();
        if (setting.count > 1) setting.second = call.getSourceRange();
      }
    }
    return std::move(*paths);
  }

  clang::ASTContext& context_;
  unsigned depth_;
  const clang::ParmVarDecl* base_ = nullptr;
  const clang::CFGBlock* exit_ = nullptr;
  clang::SourceLocation body_end_;
  std::optional<ChangedVariables> changed_;
  unsigned steps_ = 0;
  std::set<EffectKey> known_;
  std::vector<PathEffect> result_;
};

}  // namespace

std::optional<std::vector<PathEffect>> output_paths(const clang::FunctionDecl& function, const clang::ParmVarDecl& base,
                                                    clang::ASTContext& context) {
  return Walker(context, 0).run(function, base);
}

}  // namespace structured::gen
