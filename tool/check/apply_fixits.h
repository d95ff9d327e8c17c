// Applies the fix-its of diagnostics to sources.
#pragma once

#include <map>
#include <string>

#include "check/diagnostic.h"
#include "check/source_text.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

struct AppliedFixIts {
  std::map<std::string, std::string> files;  ///< new text of each changed file, by its path in diagnostics
  unsigned applied = 0;                      ///< diagnostics whose fix-its are in `files`
  unsigned unfixed_errors = 0;               ///< errors without fix-its in `files`
  unsigned skipped = 0;                      ///< diagnostics whose fix-its overlap others, or lie outside their file
};

/// Applies the fix-its of each diagnostic together or not at all. If fix-its overlap, the first in the order of
/// `diagnostics` wins. Equal edits (one mistake in a header that several sources include) are applied once.
AppliedFixIts apply_fixits(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources);

}  // namespace structured::gen
