// Diagnostics that the author suppresses by `[[structured::allow("kind")]]`.
#pragma once

#include <string>
#include <vector>

#include "check/diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/declaration.h"

namespace structured::gen {

/// Whether `allow` may name the kind: a warning, or an error about a body, whose analysis may assume a path that no
/// call takes.
bool can_be_allowed(DiagnosticKind kind);

/// Returns the names that `allow` accepts, without the prefix `structured-`, in the order of the registry.
std::vector<std::string> allowable_kinds();

/// Removes the diagnostics located in the declaration or in the body of a function that allows their kind.
void remove_allowed(std::vector<Diagnostic>& diagnostics, llvm::ArrayRef<Fragment> fragments);

}  // namespace structured::gen
