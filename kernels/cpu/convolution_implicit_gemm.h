#pragma once
// Convolution as an implicit GEMM: a matrix product of the weights and the windows of the input, which are read in
// place by register tiles (micro_kernel.h).
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Returns the fraction of computed lanes that are used; the others lie beyond the ends of rows. 0 if the machine has
/// no micro-kernels or a stride is too large for them.
double implicit_gemm_utilization(const ConvGeometry& geometry);

/// Location of the weights of a convolution: strides in elements between groups, between output and input channels of a
/// group, and along each axis of the kernel.
struct ConvWeights {
  const float* data;
  int64_t group;
  int64_t output;
  int64_t input;
  int64_t taps[3];

  /// Strides of a weight tensor [O, C, kernel...].
  ConvWeights(const Tensor& weight, const ConvGeometry& geometry);

  /// Returns the weights whose convolution gives the gradient of the input: kernels mirrored, input and output channels
  /// of each group exchanged.
  ConvWeights reversed(const ConvGeometry& geometry) const;
};

/// Computes `out` of a convolution that is not transposed, for contiguous Float tensors; `bias` may be undefined.
/// Throws Error if the machine has no micro-kernels.
void convolve_implicit_gemm(const ConvGeometry& geometry, const Tensor& input, const ConvWeights& weights,
                            const Tensor& bias, const Tensor& out);

}  // namespace structured::kernels
