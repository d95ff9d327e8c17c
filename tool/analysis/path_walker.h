// Follows the paths of one call of one function; see output_paths.h.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/path_effect.h"
#include "analysis/path_state.h"

namespace clang {
class Sema;
}

namespace structured::gen {

/// What the walks through one meta function and the functions that it calls share.
class PathAnalysis {
 public:
  explicit PathAnalysis(clang::Sema& sema) : sema_(sema) {}

  clang::ASTContext& context() const;
  SymbolicExprContext& exprs() { return exprs_; }
  /// The declaration that has the function's body. Null if there is none to follow.
  const clang::FunctionDecl* definition_of(const clang::FunctionDecl& function);
  /// Null if Clang cannot make one.
  const ControlFlowGraph* graph_of(const clang::FunctionDecl& definition);
  /// Whether the function is seen to throw or to end the program on every path.
  bool never_returns(const clang::FunctionDecl& function);

  /// False after so many steps that nothing should be claimed any more.
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

/// One way through a function, or through a call.
struct PathOutcome {
  PathEffect effect;
  PathState state;
  const SymbolicExpr* result = nullptr;
};

class PathWalker {
 public:
  /// `base` is a parameter of `definition`, the graph's function.
  PathWalker(PathAnalysis& analysis, const ControlFlowGraph& graph, const clang::FunctionDecl& definition,
             const clang::ParmVarDecl& base)
      : analysis_(analysis), graph_(graph), definition_(definition), base_(base) {}

  std::vector<PathOutcome> run(PathState start);

 private:
  using Edge = std::pair<const clang::CFGBlock*, const clang::CFGBlock*>;
  using Outcomes = std::vector<PathOutcome>;

  struct Path {
    const clang::CFGBlock* block = nullptr;
    unsigned element = 0;
    PathEffect effect;
    PathState state;
    const SymbolicExpr* result = nullptr;
    std::set<Edge> edges;                                  // taken inside loops
    std::map<const clang::CFGBlock*, PathEffect> entered;  // the effect so far, where blocks of loops were first met
    std::set<const clang::CFGBlock*> repeated;             // the blocks that the path came back to
    std::vector<Edge> branches;                            // taken where there was another way
  };

  PathReader reader(PathState& state) {
    return PathReader(analysis_.exprs(), analysis_.context(), graph_.changes(), state);
  }

  void walk(Path path);
  bool pass(Path& path, const clang::Stmt& statement);
  void follow(const Path& path);
  void follow_handlers(const Path& path);
  void follow_switch(Path path, const clang::SwitchStmt& choice);
  bool assume_case(PathState& state, const SymbolicExpr* subject, const clang::SwitchCase& label, bool value);
  const SymbolicExpr* condition_of(const clang::CFGBlock& block, PathState& state);
  void enter(Path path, const clang::CFGBlock& next);
  void enter_loop(Path& path, const ControlFlowGraph::Loop& loop);
  void meet_again(Path& path, const clang::CFGBlock& block);
  void finish(Path path);
  Outcomes outcomes();
  void add_branch_notes(Path& path);
  bool leads_to_setting(const clang::CFGBlock& block, std::int64_t index);

  std::optional<Outcomes> outcomes_of(const clang::Stmt& statement, PathState& state);
  std::optional<Outcomes> outcomes_of_call(const clang::CallExpr& call, PathState& state);
  std::optional<PathEffect> effect_of_member(const clang::CXXMemberCallExpr& call, PathState& state);
  Outcomes outcomes_of_helper(const clang::CallExpr& call, const clang::FunctionDecl& callee, unsigned base,
                              PathState& state);

  PathAnalysis& analysis_;
  const ControlFlowGraph& graph_;
  const clang::FunctionDecl& definition_;
  const clang::ParmVarDecl& base_;
  std::vector<Path> pending_;
  std::vector<Path> ended_;
  std::map<const clang::CFGBlock*, std::set<std::int64_t>> set_in_each_pass_;
  std::map<std::int64_t, std::set<const clang::CFGBlock*>> setting_;     // the blocks that set an output
  std::map<std::int64_t, std::set<const clang::CFGBlock*>> to_setting_;  // those from which they are reached
};

}  // namespace structured::gen
