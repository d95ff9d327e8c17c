// Annotations in preprocessor branches that a scan skips although the compiler of the build may not.
//
// A scan predefines Clang's macros and those of flags that change declarations. A branch that depends on another
// compiler's macro, or on a macro of `-mavx2`, `-fopenmp` or `-O2`, is skipped without notice.
#pragma once

#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "model/declaration.h"
#include "scan/source_map.h"

namespace clang {
class Preprocessor;
}

namespace structured::gen {

/// Appends the skipped branches that depend on such macros to `branches`, which must outlive the parse. Ignores system
/// headers.
void watch_skipped_branches(clang::Preprocessor& preprocessor, std::vector<clang::SourceRange>& branches);

/// Returns the attributes with a role in the branches, with their string arguments. Omits attribute lists that contain
/// `allow("skipped-annotation")`.
std::vector<Attribute> skipped_annotations(const std::vector<clang::SourceRange>& branches, const SourceMap& map);

}  // namespace structured::gen
