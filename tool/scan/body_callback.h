// Callback that derives facts from function bodies. The scan itself reads declarations only; tool/analysis provides the
// callback.
#pragma once

#include <optional>

#include "model/body_facts.h"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace structured::gen {

class SourceMap;

/// Returns facts about the body of a function, or nullopt if the body is not visible or was not parsed.
using BodyCallback = std::optional<BodyFacts> (*)(const clang::FunctionDecl& function, clang::Sema& sema,
                                                  const SourceMap& map);

}  // namespace structured::gen
