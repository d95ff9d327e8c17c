// Spelling suggestions.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Returns the candidate with the smallest edit distance to `name`, letter case ignored; the first of several. Returns
/// std::nullopt if all candidates are too far away, or if `name` is too long to compare in negligible time.
std::optional<std::string> nearest(llvm::StringRef name, llvm::ArrayRef<std::string> candidates);

/// "; did you mean `x`?", or an empty string without a nearest candidate.
std::string did_you_mean(llvm::StringRef name, llvm::ArrayRef<std::string> candidates);

}  // namespace structured::gen
