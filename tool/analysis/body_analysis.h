// Analysis of the body of an annotated function. Includes no header of Clang's, so that programs that only pass the
// function on compile quickly.
#pragma once

#include "model/declaration.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Stores facts about the body of `function`, unless the body is not visible or was not parsed. Suits `BodyCallback` of
/// the scan.
void analyze_body(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                  Declaration& declaration);

}  // namespace structured::gen
