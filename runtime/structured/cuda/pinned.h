#pragma once
// Page-locked host memory, which devices copy from and to while the host goes on.
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"
#include "structured/cuda/export.h"

namespace structured::cuda {

/// Returns an uninitialised contiguous CPU tensor in page-locked memory. Freed memory is cached, and used again once
/// the copies of copy_async that use it have ended. Throws Error if `options` name another device than the CPU.
STRUCTURED_CUDA_API Tensor empty_pinned(IntArrayRef sizes, TensorOptions options = {});

/// Whether the tensor's memory is page-locked.
STRUCTURED_CUDA_API bool is_pinned(const Tensor& tensor);

/// Enqueues a copy between a pinned CPU tensor and a CUDA tensor in the current stream of the latter's device, and does
/// not wait for it. Both are contiguous, with the same sizes and dtype; otherwise throws Error. The caller keeps the
/// CUDA tensor, and leaves the elements of the CPU tensor alone, until the copy has ended.
STRUCTURED_CUDA_API void copy_async(const Tensor& destination, const Tensor& source);

}  // namespace structured::cuda
