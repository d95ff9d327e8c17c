// Callback that derives facts from function bodies. The scan itself reads declarations only; tool/analysis provides the
// callbacks.
#pragma once

#include "model/declaration.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Adds facts about the body of a function to its declaration; none if the body is not visible or was not parsed.
using BodyCallback = void (*)(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map,
                              Declaration& declaration);

}  // namespace structured::gen
