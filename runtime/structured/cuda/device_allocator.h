#pragma once
// The allocator of CUDA devices; see memory.h.
#include "structured/core/allocator.h"

namespace structured::cuda::detail {

Allocator& device_allocator();

}  // namespace structured::cuda::detail
