// The C++ types of kernels in emitted registrations.
#pragma once

#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns the type of the function that the dispatcher calls: the author's kernel itself, if it needs no wrapper, or
/// the emitted function. Both may take symbolic integers.
CppSignature wrapper_signature(const LoweredLibrary& lowered, const LoweredWrapper& wrapper);

/// Returns the type of the variant's calls. A parameter is a symbolic integer if it is one of some kernel.
CppSignature kernel_signature(const LoweredLibrary& lowered, const LoweredVariant& variant);

/// Returns the function type: `::at::Tensor(const ::at::Tensor&, int64_t)`.
std::string function_type(const CppSignature& signature);

}  // namespace structured::gen
