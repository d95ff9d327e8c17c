// `file:` URIs and paths.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

/// Returns the absolute path of a `file:` URI without `.` and `..`; nullopt for other URIs.
std::optional<std::string> path_of_uri(llvm::StringRef uri);

/// Returns the URI of an absolute path.
std::string uri_of_path(llvm::StringRef path);

}  // namespace structured::lsp
