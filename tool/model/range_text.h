// Source ranges as text, for files that the tool stores.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/source_range.h"

namespace structured::gen {

/// `12:3-12:20` for a range in `file`, `kernels/shapes.h:4:1-4:9` for a range elsewhere.
std::string range_text(const SourceRange& range, llvm::StringRef file);
/// The inverse; std::nullopt for any other text.
std::optional<SourceRange> parse_range(llvm::StringRef text, llvm::StringRef file);

}  // namespace structured::gen
