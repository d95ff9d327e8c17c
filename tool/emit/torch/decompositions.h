// Operators for PyTorch that compilers see into.
#pragma once

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Defines the constants that describe the decompositions of a library.
void write_decompositions(Writer& writer, const LoweredLibrary& lowered);

/// Defines the exported function `structured_decompositions`, which returns text that differs where decompositions do:
/// the library's Python package adds it to the keys of PyTorch's caches of compiled programs.
void write_decompositions_digest(Writer& writer, const LoweredLibrary& lowered);

/// Registers the public operator of a variant whose kernels another operator has.
void write_composite(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

}  // namespace structured::gen
