// Meta functions as data, from which functions on symbolic sizes are emitted. Includes no header of Clang's.
#pragma once

#include "model/declaration.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Stores the computation of a `meta` function whose base is MetaBase, and of a kernel for Meta whose sizes depend on
/// data, or why it is not known; nothing for other functions. Suits `BodyCallback` of the scan.
void translate_meta_function(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                             Declaration& declaration);

}  // namespace structured::gen
