// With a CUDA toolkit, its headers and libraries are read; the fragment is the same as without a toolkit.
//
// REQUIRES: cuda-toolkit
// RUN: %structured_gen scan --source-root %S -o %t.with.json %s -- -I%runtime -I%S/../Inputs
// RUN: %structured_gen scan --source-root %S --cuda-path= -o %t.without.json %s -- -I%runtime -I%S/../Inputs
// RUN: diff %t.with.json %t.without.json
// RUN: FileCheck %s --input-file=%t.with.json
// RUN: not %structured_gen scan --cuda-path=/nowhere -o - %s -- -I%runtime -I%S/../Inputs 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: cannot find CUDA installation

#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <structured/annotate.h>

namespace structured {
class Tensor;
class MetaBase;
}  // namespace structured

namespace demo {

template <class T, class F>
__global__ void map(T* data, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = f(data[i]);
}

inline auto launch = [](float* data, int n, cudaStream_t stream) {
  map<<<dim3((n + 255) / 256), 256, 0, stream>>>(data, n, [] __device__(float x) { return 2 * x; });
};

// CHECK: "name": "demo::scale_cuda",
[[structured::impl("scale.out", "CUDA")]]
void scale_cuda(structured::MetaBase& op, const structured::Tensor& self, const structured::Tensor& out) {
  cub::BlockReduce<float, 256> reduce;
  launch(nullptr, 0, nullptr);
}

}  // namespace demo
