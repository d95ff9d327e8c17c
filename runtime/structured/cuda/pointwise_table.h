#pragma once
// Interface between the CUDA kernels of scalar functions and the host. Emitted CUDA sources fill a table for each
// function (loops.cuh). run_pointwise (pointwise.h) selects a kernel, fills its arguments and launches it.
#include <cstddef>
#include <cstdint>

#include "structured/number/scalar_type.h"

namespace structured::cuda {

inline constexpr int kMaxPointwiseOperands = 4;  ///< the output and up to three inputs
inline constexpr int kMaxLoopDims = 16;          ///< dimensions of a strided loop, after coalescing
inline constexpr int kLoopThreads = 256;         ///< threads of a block
inline constexpr int kDenseBytes = 32;           ///< bytes of the widest operand that a thread of a dense loop handles
inline constexpr int kStridedElements = 4;       ///< elements that a thread of a strided loop handles

/// Divides numbers below 2^31 by `value`: `(high word of n * multiplier + n) >> shift`.
struct Divisor {
  uint32_t value;
  uint32_t multiplier;
  uint32_t shift;
};

/// Argument of a dense kernel: addresses of the first elements, the output first.
struct DenseOperands {
  void* data[kMaxPointwiseOperands];
};

/// Argument of a strided kernel. An element has an index in each dimension, innermost first.
struct StridedOperands {
  alignas(16) char constants[kMaxPointwiseOperands][16];  ///< elements of operands without an address
  char* data[kMaxPointwiseOperands];                      ///< null: a constant
  int32_t strides[kMaxLoopDims][kMaxPointwiseOperands];   ///< in bytes
  Divisor sizes[kMaxLoopDims];
  int32_t dims;
  int32_t size;  ///< number of elements
  ScalarType types[kMaxPointwiseOperands];
};

/// Launches a kernel by the address of its host function and returns a cudaError_t. Compiled into the library of the
/// kernel, since each copy of the CUDA runtime knows the kernels of its own library only.
using LaunchKernel = int (*)(const void* kernel, unsigned blocks, unsigned threads, void** arguments, void* stream);

/// Kernels of one scalar function by common dtype; null for dtypes that the function does not support.
struct PointwiseTable {
  LaunchKernel launch;
  int32_t inputs;
  uint32_t booleans;  ///< bit i: operand i of dense kernels is in memory as bool, whatever the common dtype
  const void* dense[kScalarTypeEnd];
  const void* strided[kScalarTypeEnd];
  int32_t dense_tile[kScalarTypeEnd];  ///< elements that a block of the dense kernel handles
};

}  // namespace structured::cuda
