#include "check/apply_fixits.h"

#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

// A replacement of bytes; begin == end is an insertion.
struct Edit {
  std::string file;
  size_t begin;
  size_t end;
  std::string text;
  friend auto operator<=>(const Edit&, const Edit&) = default;
};

std::optional<std::vector<Edit>> edits_of(const Diagnostic& diagnostic, SourceText& sources) {
  std::vector<Edit> edits;
  for (const FixIt& fixit : diagnostic.fixits) {
    const auto begin = sources.offset(fixit.range.file, fixit.range.begin);
    const auto end = sources.offset(fixit.range.file, fixit.range.end);
    if (!begin || !end || *end < *begin) {
      return std::nullopt;
    }
    edits.push_back({fixit.range.file, *begin, *end, fixit.text});
  }
  return edits;
}

// Two insertions at the same position overlap as well, since their order is ambiguous.
bool overlap(const Edit& a, const Edit& b) {
  if (a.file != b.file) {
    return false;
  }
  return (a.begin == b.begin) || (a.begin < b.end && b.begin < a.end);
}

}  // namespace

AppliedFixIts apply_fixits(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources) {
  AppliedFixIts result;
  std::set<Edit> accepted;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool is_error = severity_of(diagnostic.kind) == Severity::error;
    if (diagnostic.fixits.empty()) {
      result.unfixed_errors += is_error;
      continue;
    }
    const auto edits = edits_of(diagnostic, sources);
    std::set<Edit> together = accepted;
    const bool fits = edits && llvm::all_of(*edits, [&](const Edit& edit) {
                        const bool is_free =
                            llvm::none_of(together, [&](const Edit& other) { return overlap(edit, other); });
                        return together.count(edit) != 0 || (is_free && together.insert(edit).second);
                      });
    if (!fits) {
      ++result.skipped;
      result.unfixed_errors += is_error;
      continue;
    }
    accepted = std::move(together);
    ++result.applied;
  }
  // Edits are applied from the end of each file, so that earlier offsets stay valid.
  for (const Edit& edit : llvm::reverse(accepted)) {
    auto [file, is_new] = result.files.try_emplace(edit.file);
    if (is_new) {
      file->second = sources.text(edit.file)->str();
    }
    file->second.replace(edit.begin, edit.end - edit.begin, edit.text);
  }
  return result;
}

}  // namespace structured::gen
