// Explores the paths of one call of one function; see output_paths.h.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/path_analysis.h"
#include "analysis/path_effect.h"
#include "analysis/path_state.h"

namespace structured::gen {

/// Result of one path through a function or a call.
struct PathOutcome {
  PathEffect effect;
  PathState state;
  const SymbolicExpr* result = nullptr;
};

class PathWalker {
 public:
  /// `base` is a parameter of `definition`, whose graph is `graph`.
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
    std::set<Edge> edges;                                  // edges taken inside loops
    std::map<const clang::CFGBlock*, PathEffect> entered;  // effect at the first visit of each block of a loop
    std::set<const clang::CFGBlock*> repeated;             // blocks that the path visited again
    std::vector<Edge> branches;                            // edges taken out of blocks with several successors
  };

  PathEvaluator evaluator(PathState& state) {
    return PathEvaluator(analysis_.exprs(), analysis_.context(), graph_.changes(), state);
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
  bool leads_to_setting(const clang::CFGBlock& block, int64_t index);

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
  std::map<const clang::CFGBlock*, std::set<int64_t>> set_in_each_pass_;
  std::map<int64_t, std::set<const clang::CFGBlock*>> setting_;     // blocks that set an output
  std::map<int64_t, std::set<const clang::CFGBlock*>> to_setting_;  // blocks from which those are reachable
};

}  // namespace structured::gen
