// Preconditions of a function body, and its changes to tensor handles.
#pragma once

#include "model/body_facts.h"
#include "scan/source_map.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Adds to `facts` what `definition` and the functions of the same source that it calls do. Parameters have the names
/// that `declaration`, another declaration of the function, gives them.
void analyze_preconditions(const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration,
                           clang::Sema& sema, const SourceMap& map, BodyFacts& facts);

}  // namespace structured::gen
