// CUDA sources can be scanned without a toolkit: the built-in shim suffices to read declarations. Names that it lacks
// are errors only in the compiler.
//
// RUN: %structured_gen scan --cuda-path= --source-root %S -o - %s -- -I%runtime -I%S/../Inputs | FileCheck %s

#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "mock.h"

namespace demo {

template <class T, class F>
__global__ void __launch_bounds__(256) map(T* data, int n, F f) {
  __shared__ T shared[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = f(data[i]);
  __syncthreads();
}

__host__ __device__ inline float twice(float x) { return 2 * x; }

struct Launch {
  cub::BlockReduce<float, 256> unknown_without_toolkit;
  dim3 grid = dim3(1, 2);
  cudaStream_t stream = nullptr;
};

constexpr auto launch = [](float* data, int n, cudaStream_t stream) {
  map<<<dim3((n + 255) / 256), 256, 0, stream>>>(data, n, [] __device__(float x) { return twice(x); });
};

// CHECK: "name": "demo::scale_cuda",
[[structured::impl("scale.out", "CUDA")]]
void scale_cuda(structured::MetaBase& op, const structured::Tensor& self, const structured::Tensor& out) {
  map<<<1, 256>>>(static_cast<float*>(nullptr), 1, [] __device__(float x) { return x; });
}

}  // namespace demo
