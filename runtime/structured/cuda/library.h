#pragma once
// The CUDA backend of the runtime.
#include <cstdint>

#include "structured/cuda/export.h"

namespace structured::cuda {

/// Number of calls that ran on the CPU because their operator has no kernel for CUDA. The first such call of each
/// operator gives a warning.
STRUCTURED_CUDA_API std::uint64_t fallback_count() noexcept;

}  // namespace structured::cuda
