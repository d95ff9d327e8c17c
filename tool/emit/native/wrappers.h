// Prints the wrappers of kernels, and the public functions that call one backend without dispatching.
#pragma once

#include <set>
#include <string>

#include "emit/writer.h"
#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// The emitted source for one kernel source.
std::string wrappers_source(const LoweredLibrary& lowered, llvm::StringRef source);

/// Prints the functions of one wrapper, after declarations of the globals that they use. `declared` holds the globals
/// that are declared already.
void write_wrapper_and_globals(Writer& writer, const LoweredLibrary& lowered, const LoweredWrapper& wrapper,
                               std::set<std::string>& declared);

}  // namespace structured::gen
