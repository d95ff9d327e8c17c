// Prints the CUDA source with the kernels of a header's scalar functions.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns the text: a structure and a table of kernels for each scalar function. nvcc compiles it.
std::string cuda_source(const LoweredLibrary& lowered, llvm::StringRef source);

}  // namespace structured::gen
