// Diagnostics in SARIF 2.1.0 (OASIS standard), for code review tools and editors.
#pragma once

#include <string>

#include "check/diagnostic.h"
#include "check/source_text.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// Returns one run with a result for each diagnostic. Its rules are the whole registry in order, so that rule ids and
/// indices are stable. Notes become related locations; all fix-its of a diagnostic become one fix. Columns count
/// Unicode code points, computed from `sources`, or bytes if a file cannot be read.
std::string render_sarif(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::StringRef tool_version);

}  // namespace structured::gen
