// Uses of `std` in scalar functions that do not know dual numbers.
#pragma once

#include <vector>

#include "model/declaration.h"
#include "scan/source_map.h"

namespace clang {
class FunctionDecl;
}

namespace structured::gen {

/// Returns the uses, in the body of a function template, of the functions of `std` that `structured::math` has for dual
/// numbers, and of `std::is_floating_point_v`, which is false for them. Reads tokens, since scans do not parse bodies.
std::vector<StandardUse> standard_uses(const clang::FunctionDecl& function, const SourceMap& map);

}  // namespace structured::gen
