// Source ranges as text, in files that the tool writes.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::gen {

/// Returns `12:3-12:20` for a range in `file`, and `kernels/shapes.h:4:1-4:9` for a range in another file.
std::string range_text(const SourceRange& range, llvm::StringRef file);
/// Inverse of range_text; std::nullopt for any other text.
std::optional<SourceRange> parse_range(llvm::StringRef text, llvm::StringRef file);

}  // namespace structured::gen
