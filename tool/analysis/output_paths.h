// Determines which outputs each path through a meta function sets, on Clang's control-flow graph.
//
// Paths are explored one by one, and loop bodies at most once, because conditions correlate: after `if (two)
// op.set_output(1)`, a second test of `two` takes the same branch. Calls that pass the base to a visible function are
// followed. Any other use that lets the base escape may set any output. If there are too many paths, nothing is
// reported.
#pragma once

#include <optional>
#include <vector>

#include "analysis/path_effect.h"

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Returns the effects of all paths of `definition` that return, for its parameter `base`. Equal effects with the same
/// end are merged. Returns nullopt if there are too many paths. `definition` must have a body.
std::optional<std::vector<PathEffect>> output_paths(const clang::FunctionDecl& definition,
                                                    const clang::ParmVarDecl& base, clang::Sema& sema);

}  // namespace structured::gen
