// Analysis of the body of an annotated function. Includes no header of Clang's, so that programs that only pass the
// function on compile quickly.
#pragma once

#include <optional>

#include "model/body_facts.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Returns facts about the body of `function`, or nullopt if the body is not visible or was not parsed. Suits
/// `BodyCallback` of the scan.
std::optional<BodyFacts> analyze_body(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map);

}  // namespace structured::gen
