#pragma once
// The ways to compute a convolution. `convolution` takes the one that conv_backend tells; tests take each.
#include <structured/core/export.h>
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

enum class ConvBackend {
  depthwise,   ///< each channel by itself: float and double, one input channel in each group, transposed or not
  tiles,       ///< a matrix product of the weights and windows that are read where they are: float, AVX2 or more
  pixels,      ///< a product of channels and weights for each pixel, transposed or not: float, AVX2 or more
  gemm,        ///< a matrix product of the weights and a matrix of windows (im2col)
  transposed,  ///< a matrix product of weights and input, whose elements are added up where windows overlap (col2im)
};

/// The way that is fastest for these tensors, which `convolution` accepts; dtype, sizes and memory format matter.
STRUCTURED_API ConvBackend conv_backend(const Tensor& input, const Tensor& weight, const ConvArguments& arguments);

/// The same by what these tensors say: `dtype` is computed in, and the input has its channels last, or not.
ConvBackend conv_backend(const ConvGeometry& geometry, ScalarType dtype, bool is_last);

/// Computes `out` by `backend`, which must be one that can: `transposed` for transposed convolutions and no others;
/// `depthwise`, `tiles` and `pixels` only for what is said above. `bias` may be undefined.
STRUCTURED_API void convolve(ConvBackend backend, const Tensor& input, const Tensor& weight, const Tensor& bias,
                             const ConvArguments& arguments, const Tensor& out);

}  // namespace structured::kernels
