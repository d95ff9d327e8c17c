// What a body demands of its parameters, and what it does to the handles of tensors.
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
void read_demands(const clang::FunctionDecl& definition, const clang::FunctionDecl& declaration, clang::Sema& sema,
                  const SourceMap& map, BodyFacts& facts);

}  // namespace structured::gen
