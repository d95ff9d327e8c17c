#pragma once
// Convolutions by cuDNN, which is opened at the first convolution.
#include <structured/core/tensor.h>

#include <cstdint>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// Which tensor of a convolution is computed from the two others.
enum class ConvolutionResult : int8_t { narrow, wide, weight };

/// Enqueues a convolution from `wide` to `narrow` with `weight` [narrow channels, wide channels / groups, ...], or its
/// gradient with respect to `wide` or `weight`, in the current stream of the current device. `geometry` describes the
/// convolution from `wide` to `narrow`, which is not transposed. Returns false, with no effect, if there is no cuDNN,
/// if it does not support the dtype or the shape, and for depthwise convolutions. Algorithms are chosen once for each
/// shape, among those that give the same result in every run. Float is computed in full precision, not in TF32.
bool convolve_by_cudnn(ConvolutionResult result, const ConvGeometry& geometry, const Tensor& wide, const Tensor& weight,
                       const Tensor& narrow);

}  // namespace structured::kernels
