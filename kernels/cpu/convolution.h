#pragma once
// Algorithms of convolution. `convolution` uses the one that conv_backend selects; tests run each of them.
#include <structured/base/export.h>
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

enum class ConvBackend {
  depthwise,      ///< one input channel per group, transposed or not: float and double
  implicit_gemm,  ///< matrix product of the weights and windows read in place: float, AVX2 or later
  direct_nhwc,    ///< channels-last register tiles, transposed or not: float, AVX2 or later
  im2col,         ///< matrix product of the weights and an im2col matrix
  col2im,         ///< matrix product of weights and input, summed where windows overlap
};

/// Returns the fastest algorithm for tensors that `convolution` accepts, from their dtype, sizes and memory formats.
STRUCTURED_API ConvBackend conv_backend(const Tensor& input, const Tensor& weight, const ConvArguments& arguments);

/// Returns the fastest algorithm for a convolution computed in `dtype`. `is_last`: the channels of the input are last.
ConvBackend conv_backend(const ConvGeometry& geometry, ScalarType dtype, bool is_last);

/// Computes `out` with `backend`. col2im requires a transposed convolution, im2col and implicit_gemm one that is not;
/// depthwise, implicit_gemm and direct_nhwc have the further requirements stated above. `bias` may be undefined. Throws
/// Error if a requirement is not met.
STRUCTURED_API void convolve(ConvBackend backend, const Tensor& input, const Tensor& weight, const Tensor& bias,
                             const ConvArguments& arguments, const Tensor& out);

}  // namespace structured::kernels
