#pragma once
// Convolutions pixel by pixel: where the channels of a pixel lie next to each other, and of 16-bit or Float elements.
// Tensors of other layouts are brought to this one first.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Whether the channels of a pixel are meant to lie next to each other.
bool has_channels_last(const Tensor& tensor);

/// Whether convolve_direct_nhwc and weight_gradient_direct_nhwc can be used here, for this convolution: there must be
/// vector instructions, and not much more padding than input and output.
bool can_convolve_direct_nhwc(const ConvGeometry& geometry);

/// Whether most of their vectors' elements are of use, or else so little is computed that it takes less time than to
/// change the layout.
bool is_direct_nhwc_faster(const ConvGeometry& geometry);

/// Computes `out`, whether the convolution is transposed or not; `bias` may be undefined.
void convolve_direct_nhwc(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                          const Tensor& out);

/// Sets `out` to the gradient of the weight of a convolution, not transposed, from `wide` to `narrow`.
void weight_gradient_direct_nhwc(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                                 const Tensor& out);

}  // namespace structured::kernels
