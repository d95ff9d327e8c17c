// Diagnostics in SARIF 2.1.0 (OASIS standard), for code review tools and editors.
#pragma once

#include <string>

#include "check/diagnostic.h"
#include "check/source_text.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// One run with a result for each diagnostic. The rules are the whole registry, in its order, so that rule ids and
/// indices are stable. Notes become related locations, fix-its one fix. Columns count Unicode code points, for which
/// `sources` is read; where a file cannot be read they count bytes.
std::string render_sarif(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::StringRef tool_version);

}  // namespace structured::gen
