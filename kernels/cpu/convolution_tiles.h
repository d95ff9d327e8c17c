#pragma once
// Convolution by tiles (tile_loops.h): a matrix product of the weights and windows that are read where they are.
#include <structured/core/tensor.h>

#include "meta/convolution_geometry.h"

namespace structured::kernels {

/// The share of what is computed that is not in vain: there are no windows at the ends of rows, nor of vectors. 0 if
/// there are no loops for tiles, or if strides are too large for them.
double tiled_share(const ConvGeometry& geometry);

/// For contiguous tensors of Float and a convolution that is not transposed; `bias` may be undefined. Throws Error if
/// there are no loops for tiles.
void convolve_by_tiles(const ConvGeometry& geometry, const Tensor& input, const Tensor& weight, const Tensor& bias,
                       const Tensor& out);

}  // namespace structured::kernels
