// Operators for PyTorch that compilers see into.
#pragma once

#include "emit/writer.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Defines the constant that describes a variant's decomposition.
void write_decomposition(Writer& writer, const LoweredVariant& variant);

/// Registers the public operator of a variant whose kernels another operator has.
void write_composite(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

}  // namespace structured::gen
