#include "planted_faults.h"

namespace cudatest {
namespace {

constexpr int kBlock = 64;

__global__ void fill_indices_kernel(int* data, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) data[i] = i;
}

template <bool has_barrier>
__global__ void reverse_kernel(float* data) {
  __shared__ float block[kBlock];
  float* const own = data + blockIdx.x * kBlock;
  block[threadIdx.x] = own[threadIdx.x];
  if (has_barrier) __syncthreads();
  own[threadIdx.x] = block[kBlock - 1 - threadIdx.x];
}

__global__ void wait_apart_kernel() {
  if (threadIdx.x < kBlock / 2 + 1) {
    __syncthreads();
  } else {
    __syncwarp(0xffffffff);
  }
}

__global__ void load_vector_kernel(const float* data, float* to) {
  const float4 all = *reinterpret_cast<const float4*>(data);
  *to = all.x + all.y + all.z + all.w;
}

__global__ void sum_kernel(const float* data, float* to) {
  float value = data[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0) atomicAdd(to, value);
}

__global__ __launch_bounds__(32) void bounded_kernel() {}

}  // namespace

void fill_indices(int* data, int count, cudaStream_t stream) {
  fill_indices_kernel<<<(count + 255) / 256, 256, 0, stream>>>(data, count);
}
void reverse_blocks(float* data, int blocks, bool has_barrier) {
  if (has_barrier) {
    reverse_kernel<true><<<blocks, kBlock>>>(data);
  } else {
    reverse_kernel<false><<<blocks, kBlock>>>(data);
  }
}
void wait_apart() { wait_apart_kernel<<<1, kBlock>>>(); }
void load_vector(const float* data, int offset, float* to) { load_vector_kernel<<<1, 1>>>(data + offset, to); }
void sum(const float* data, float* to) { sum_kernel<<<1, 256>>>(data, to); }
void launch_too_many() { bounded_kernel<<<1, 64>>>(); }

}  // namespace cudatest
