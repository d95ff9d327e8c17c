#pragma once
// Loops over numbered elements, for kernels without a common structure: `function(i)` is called for each number.
#include <structured/cuda/check.h>
#include <structured/cuda/stream.h>

#include <cstdint>

namespace structured::kernels {

inline constexpr unsigned kElementThreads = 256;

template <class Function>
__global__ __launch_bounds__(kElementThreads) void element_kernel(const __grid_constant__ Function function,
                                                                  const int64_t size) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (i < size) function(i);
}

/// Calls `function(i)` on the device for all i from 0 to `size` - 1, in the current stream. `Function` is a structure
/// with a const `operator()(int64_t)`.
template <class Function>
void for_each_element(int64_t size, const Function& function) {
  if (size == 0) return;
  const auto blocks = static_cast<unsigned>((size + kElementThreads - 1) / kElementThreads);
  element_kernel<<<blocks, kElementThreads, 0, cuda::current_handle()>>>(function, size);
  STRUCTURED_CUDA_CHECK(cudaGetLastError());
}

}  // namespace structured::kernels
