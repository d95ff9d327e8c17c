// Preconditions of a function body, and its changes to tensor handles.
#pragma once

#include "model/body_facts.h"
#include "scan/source_map.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Adds the preconditions and handle changes of `definition`, and of the functions of the same source that it calls, to
/// `facts`. Parameters have the names that `declaration`, a declaration of the same function, gives them.
void analyze_preconditions(const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration,
                           clang::Sema& sema, const SourceMap& map, BodyFacts& facts);

}  // namespace structured::gen
