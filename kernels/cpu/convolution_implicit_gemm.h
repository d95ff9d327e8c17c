#pragma once
// Convolution by tiles (implicit_gemm_loops.h): a matrix product of the weights and windows that are read where they
// are.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// The share of what is computed that is not in vain: there are no windows at the ends of rows, nor of vectors. 0 if
/// there are no loops for tiles, or if strides are too large for them.
double implicit_gemm_utilization(const ConvGeometry& geometry);

/// Where the weights of a convolution are: steps in elements between groups, between the output and the input channels
/// of a group, and along the axes of the kernel.
struct ConvWeights {
  const float* data;
  int64_t group;
  int64_t output;
  int64_t input;
  int64_t taps[3];

  /// Those of a tensor [O, C, kernel...].
  ConvWeights(const Tensor& weight, const ConvGeometry& geometry);

  /// What the gradient of the input of that convolution is convolved with: kernels in the opposite direction, with
  /// channels exchanged within their groups.
  ConvWeights reversed(const ConvGeometry& geometry) const;
};

/// For contiguous tensors of Float and a convolution that is not transposed; `bias` may be undefined. Throws Error if
/// there are no loops for tiles.
void convolve_implicit_gemm(const ConvGeometry& geometry, const Tensor& input, const ConvWeights& weights,
                            const Tensor& bias, const Tensor& out);

}  // namespace structured::kernels
