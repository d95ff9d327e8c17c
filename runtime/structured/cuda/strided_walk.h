#pragma once
// Walks over the elements of strided operands, for kernels: the host lists dimensions, the device finds an element.
#include <cstdint>

#include "structured/base/error.h"
#include "structured/cuda/pointwise_table.h"

#if defined(__CUDACC__)
#define STRUCTURED_DEVICE __device__ __forceinline__
#else
#define STRUCTURED_DEVICE inline
#endif

namespace structured::cuda {

/// Largest number of elements of a walk: numbers below it can be divided by multiplication.
inline constexpr int64_t kMaxWalk = int64_t{1} << 31;

/// Returns the divisor for `value`, from 1 to kMaxWalk - 1.
inline Divisor make_divisor(uint32_t value) {
  uint32_t shift = 0;
  while ((uint64_t{1} << shift) < value) ++shift;
  const uint64_t multiplier = ((uint64_t{1} << 32) * ((uint64_t{1} << shift) - value)) / value + 1;
  return {value, static_cast<uint32_t>(multiplier), shift};
}

/// Elements of N operands with the same sizes, in row-major order. Argument of kernels.
template <int N>
struct StridedWalk {
  int64_t strides[kMaxLoopDims][N];  ///< in bytes, innermost dimension first
  Divisor sizes[kMaxLoopDims];
  int32_t dims = 0;
  uint32_t size = 1;  ///< number of elements

  /// Adds the byte offsets of element number `index` to `offsets`.
  STRUCTURED_DEVICE void add_offsets(uint32_t index, int64_t (&offsets)[N]) const {
    for (int dim = 0; dim < dims; ++dim) {
      const Divisor& divisor = sizes[dim];
#if defined(__CUDA_ARCH__)
      const uint32_t quotient = (__umulhi(index, divisor.multiplier) + index) >> divisor.shift;
#else
      const uint32_t quotient = index / divisor.value;
#endif
      const uint32_t rest = index - quotient * divisor.value;
      index = quotient;
      for (int i = 0; i < N; ++i) offsets[i] += strides[dim][i] * rest;
    }
  }

  /// Adds the next outer dimension, and joins it with the previous one where strides allow. Throws Error for more than
  /// kMaxLoopDims dimensions or too many elements.
  void add_dim(int64_t extent, const int64_t (&steps)[N]) {
    STRUCTURED_CHECK(extent == 0 || size < static_cast<uint64_t>(kMaxWalk / extent),
                     "expected fewer than 2147483648 elements in each part of a CUDA kernel's work");
    size *= static_cast<uint32_t>(extent);
    if (extent == 1 || size == 0) return;
    bool joins = dims != 0;
    for (int i = 0; i < N && joins; ++i) joins = steps[i] == strides[dims - 1][i] * sizes[dims - 1].value;
    if (joins) {
      sizes[dims - 1] = make_divisor(sizes[dims - 1].value * static_cast<uint32_t>(extent));
      return;
    }
    STRUCTURED_CHECK(dims < kMaxLoopDims, "expected at most ", kMaxLoopDims, " dimensions after coalescing");
    for (int i = 0; i < N; ++i) strides[dims][i] = steps[i];
    sizes[dims++] = make_divisor(static_cast<uint32_t>(extent));
  }
};

}  // namespace structured::cuda
