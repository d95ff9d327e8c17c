// Diagnostics as people read them on a terminal, in the form that Clang gives its own.
#pragma once

#include "check/diagnostic.h"
#include "check/source_text.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

/// Each diagnostic with the line it points at, its notes and its fix-its. Colours if `out` has them enabled and
/// `colors` is set.
void render_text(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::raw_ostream& out, bool colors);

/// `2 errors and 1 warning generated.`; nothing when there are none.
std::string summary_line(unsigned errors, unsigned warnings);

}  // namespace structured::gen
