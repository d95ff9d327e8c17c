#pragma once
// The CUDA backend of the runtime.
#include <cstdint>
#include <map>
#include <string>

#include "structured/cuda/export.h"

namespace structured::cuda {

/// Calls that ran on the CPU because their operator has no kernel for CUDA, by operator. Thread-safe.
STRUCTURED_CUDA_API std::map<std::string, uint64_t> fallback_calls();

/// Number of calls that ran on the CPU because their operator has no kernel for CUDA. The first such call of each
/// operator gives a warning.
STRUCTURED_CUDA_API uint64_t fallback_count();

}  // namespace structured::cuda
