#include "analysis/output_paths.h"

#include "analysis/path_walker.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {

std::optional<std::vector<PathEffect>> output_paths(const clang::FunctionDecl& definition,
                                                    const clang::ParmVarDecl& base, clang::Sema& sema) {
  PathAnalysis analysis(sema);
  analysis.active.push_back(&definition);
  const ControlFlowGraph* graph = analysis.graph_of(definition);
  if (!graph) return std::nullopt;
  std::vector<PathEffect> result;
  for (PathOutcome& outcome : PathWalker(analysis, *graph, definition, base).run({})) {
    const auto is_known = [&](const PathEffect& known) { return known.is_like(outcome.effect); };
    if (llvm::none_of(result, is_known)) result.push_back(std::move(outcome.effect));
  }
  if (analysis.gave_up()) return std::nullopt;
  return result;
}

}  // namespace structured::gen
