// Comparisons of elements in pointwise functions, which complex numbers do not support.
#pragma once

#include <optional>

#include "model/declaration.h"
#include "scan/source_map.h"

namespace clang {
class FunctionDecl;
}

namespace structured::gen {

/// Returns the first comparison by `<`, `>`, `<=` or `>=` of a parameter whose type is a template parameter. Reads
/// tokens, since scans do not parse bodies. Returns std::nullopt for a body that contains `constexpr`, which may
/// exclude the comparison for some types.
std::optional<Ordering> first_ordering(const clang::FunctionDecl& function, const SourceMap& map);

}  // namespace structured::gen
