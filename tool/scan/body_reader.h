// The body of an annotated function, as Clang sees it, into BodyFacts.
#pragma once

#include <optional>

#include "model/body_facts.h"
#include "scan/source_map.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

/// Nothing for a function without a body here, or one that was not parsed.
std::optional<BodyFacts> read_body(const clang::FunctionDecl& function, clang::Sema& sema, const SourceMap& map);

}  // namespace structured::gen
