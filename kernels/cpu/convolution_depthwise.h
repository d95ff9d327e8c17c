#pragma once
// Convolutions of channels by themselves: one input channel in each group.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Whether a convolution, transposed or not, of this dtype is one.
bool can_be_depthwise(const ConvGeometry& geometry, ScalarType dtype);

/// Computes `out`; `bias` may be undefined. Tensors whose channels lie last are taken as they are.
void convolve_depthwise(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                        const Tensor& out);

/// Sets `out` to the gradient of the weight of a convolution, not transposed, from `wide` to `narrow`.
void weight_gradient_depthwise(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                               const Tensor& out);

}  // namespace structured::kernels
