#pragma once
// Checks of results of the CUDA runtime.
#include <cuda_runtime_api.h>

#include "structured/base/error.h"
#include "structured/cuda/export.h"

namespace structured::cuda::detail {

/// Throws Error that names the call, what CUDA says about it and, as all errors do, the running operators.
[[noreturn]] STRUCTURED_CUDA_API void fail_call(const char* call, cudaError_t error);

}  // namespace structured::cuda::detail

/// Throws structured::Error if a call of the CUDA runtime fails. Errors of kernels that ran before appear here, too.
#define STRUCTURED_CUDA_CHECK(call)                                   \
  do {                                                                \
    const cudaError_t structured_error = (call);                      \
    if (structured_error != cudaSuccess) [[unlikely]]                 \
      ::structured::cuda::detail::fail_call(#call, structured_error); \
  } while (false)
