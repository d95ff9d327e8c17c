// The body of an annotated function, as Clang sees it, into BodyFacts.
#pragma once

#include <optional>

#include "model/body_facts.h"
#include "scan/source_map.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace structured::gen {

/// Nothing for a function without a body here, or one that was not parsed.
std::optional<BodyFacts> read_body(const clang::FunctionDecl& function, clang::ASTContext& context,
                                   const SourceMap& map);

}  // namespace structured::gen
