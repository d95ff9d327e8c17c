// Default arguments as text and as values.
#pragma once

#include <optional>

#include "model/declaration.h"
#include "scan/source_map.h"

namespace clang {
class ASTContext;
class ParmVarDecl;
}  // namespace clang

namespace structured::gen {

std::optional<DefaultArgument> default_argument(const clang::ParmVarDecl& parameter, const clang::ASTContext& context,
                                                const SourceMap& map);

/// Returns the shortest text that parses back to `number` and is recognizable as floating point: `1.0`, `1e-05`, `0.1`,
/// `inf`.
std::string shortest_float(double number);

}  // namespace structured::gen
