// `file:` URIs and paths.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::lsp {

/// The absolute path of a `file:` URI, without `.` and `..`; nothing for another URI.
std::optional<std::string> path_of_uri(llvm::StringRef uri);

/// The URI of an absolute path.
std::string uri_of_path(llvm::StringRef path);

}  // namespace structured::lsp
