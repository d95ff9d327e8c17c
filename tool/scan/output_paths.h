// Follows the paths through a meta function's body, by Clang's control-flow graph, and tells which outputs each sets.
//
// Paths are followed one by one (each edge of the graph at most once on a path), because conditions correlate: after
// `if (two) op.set_output(1)` a second test of `two` goes the same way. Helper functions that receive the base are
// followed as well where their body is visible; otherwise such a call may set any output. Where there are too many
// paths the answer is that nothing is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
}  // namespace clang

namespace structured::gen {

/// What one path did.
struct PathEffect {
  struct Setting {
    unsigned count = 0;  ///< 0, 1, or 2 for "more than once"
    clang::SourceRange first;
    clang::SourceRange second;
  };
  std::map<std::int64_t, Setting> outputs;
  bool may_set_any = false;   ///< a call whose body is unseen received the base
  clang::SourceLocation end;  ///< of the return statement, or of the closing brace
};

/// All paths of `function` that return, for the operator base `base`, one of its parameters. Paths with the same effect
/// are given once. Nothing if there is no body or there are too many paths.
std::optional<std::vector<PathEffect>> output_paths(const clang::FunctionDecl& function, const clang::ParmVarDecl& base,
                                                    clang::ASTContext& context);

}  // namespace structured::gen
