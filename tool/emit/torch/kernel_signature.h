// Types of kernels in libtorch's dispatcher.
#pragma once

#include "lower/calling_convention.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// Returns the type of the variant's kernels. Kernels that the dispatcher calls directly may have symbolic integers,
/// which the other kernels of the operator must then pass on.
CppSignature kernel_signature(const LoweredLibrary& lowered, const LoweredVariant& variant);

}  // namespace structured::gen
