// Follows the paths through a meta function's body, by Clang's control-flow graph, and tells which outputs each sets.
//
// Paths are followed one by one (a loop's body at most once), because conditions correlate: after
// `if (two) op.set_output(1)` a second test of `two` goes the same way. Functions that receive the base are followed as
// well where their body is visible; a call that receives it otherwise may set any output, as may whatever else makes
// the base known elsewhere. Where there are too many paths the answer is that nothing is known.
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

/// All paths of `definition`, which has a body, that return, for the operator base `base`, one of its parameters. Paths
/// with the same effect and end are given once. Nothing if there are too many.
std::optional<std::vector<PathEffect>> output_paths(const clang::FunctionDecl& definition,
                                                    const clang::ParmVarDecl& base, clang::Sema& sema);

}  // namespace structured::gen
