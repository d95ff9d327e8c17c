// Prints the meta functions and kernels of pointwise operators.
#pragma once

#include <set>
#include <string>

#include "emit/writer.h"
#include "lower/lowered_library.h"
#include "model/operator.h"

namespace structured::gen {

/// Prints the definitions. The writer is in the namespace for emitted functions.
void write_pointwise_functions(Writer& writer, const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Adds the headers that the definitions need.
void add_pointwise_headers(const Operator& op, std::set<std::string>& spellings);

}  // namespace structured::gen
