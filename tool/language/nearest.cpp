#include "language/nearest.h"

namespace structured::gen {

std::optional<std::string> nearest(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  constexpr std::size_t longest = 200;
  if (name.size() > longest) return std::nullopt;
  std::optional<std::string> found;
  unsigned best = static_cast<unsigned>(name.size()) / 3 + 2;  // limit on edits for a similar word
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(candidate, /*AllowReplacements=*/true, best);
    if (distance >= best) continue;
    best = distance;
    found = candidate.str();
  }
  return found;
}

std::string did_you_mean(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  auto meant = nearest(name, candidates);
  return meant ? "; did you mean `" + *meant + "`?" : "";
}

}  // namespace structured::gen
