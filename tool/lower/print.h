// The lowered library as text, for tests of decisions and for debugging: the decisions of lowering, without C++.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns one line for each decision about a variant: the functions that the dispatcher calls, the steps of emitted
/// functions, those of recorded calls with their node, and the kernels of a scalar function.
///
///     aten::relu
///       cpu: wrapper_cpu_relu
///         make_adaptor functional ::structured::MetaBase, 1 output
///         call_meta op, self
///         ...
std::string to_text(const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Returns the text of all variants, own ones first, and of the bodies that wrappers share.
std::string to_text(const LoweredLibrary& lowered);

}  // namespace structured::gen
