// Prints diagnostics for terminals, in the format of Clang.
#pragma once

#include "check/diagnostic.h"
#include "check/source_text.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

/// Prints each diagnostic with its source line, notes and fix-its. Uses colors if `colors` is set and `out` has them
/// enabled.
void render_text(llvm::ArrayRef<Diagnostic> diagnostics, SourceText& sources, llvm::raw_ostream& out, bool colors);

/// Returns `2 errors and 1 warning generated.`; empty if both counts are 0.
std::string summary_line(unsigned errors, unsigned warnings);

}  // namespace structured::gen
