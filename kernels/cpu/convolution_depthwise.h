#pragma once
// Depthwise convolution: one input channel per group.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Returns whether a convolution of this dtype, transposed or not, is depthwise.
bool can_be_depthwise(const ConvGeometry& geometry, ScalarType dtype);

/// Computes `out`; `bias` may be undefined. Channels-last tensors are read in place.
void convolve_depthwise(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                        const Tensor& out);

/// Sets `out` to the gradient of the weight of a convolution, not transposed, from `wide` (its input) to `narrow` (its
/// output).
void weight_gradient_depthwise(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                               const Tensor& out);

}  // namespace structured::kernels
