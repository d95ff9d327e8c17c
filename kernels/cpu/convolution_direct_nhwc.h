#pragma once
// Direct convolution of channels-last tensors (NHWC) of Float or 16-bit elements by register tiles (micro_kernel.h).
// Other layouts are converted first.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Returns whether the suggested memory format of `tensor` is channels-last.
bool has_channels_last(const Tensor& tensor);

/// Returns whether convolve_direct_nhwc and weight_gradient_direct_nhwc support this convolution on this machine: they
/// need fused multiply-add, and much padding would waste memory.
bool can_convolve_direct_nhwc(const ConvGeometry& geometry);

/// Returns whether direct NHWC convolution is fast enough to convert the layout for it: most lanes of a vector are
/// used, or there is little to compute.
bool is_direct_nhwc_faster(const ConvGeometry& geometry);

/// Computes `out` of a convolution, transposed or not; `bias` may be undefined.
void convolve_direct_nhwc(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                          const Tensor& out);

/// Sets `out` to the gradient of the weight of a convolution, not transposed, from `wide` (its input) to `narrow` (its
/// output).
void weight_gradient_direct_nhwc(const ConvGeometry& geometry, const Tensor& wide, const Tensor& narrow,
                                 const Tensor& out);

}  // namespace structured::kernels
