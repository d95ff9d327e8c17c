// Bodies of scalar functions as graphs, for each dtype. Includes no header of Clang's.
#pragma once

#include "model/declaration.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Header that makes dual numbers known, from which derivatives are computed.
inline constexpr const char* dual_numbers_header = "structured/number/math.h";

/// Stores the graphs of a `pointwise` or `backward` template for all dtypes that are real numbers, and of the
/// derivative of the former by each element; what element_loops.h reads of a `meta` or `impl` function; nothing for
/// other functions. Suits `BodyCallback` of the scan.
void evaluate_scalar_bodies(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                            Declaration& declaration);

}  // namespace structured::gen
