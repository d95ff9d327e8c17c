#pragma once
// What pooling with windows of one size has in common: the arguments along each spatial dimension, and how many windows
// there are.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <array>
#include <cstdint>

#include "window_axis.h"

namespace structured::kernels {

/// Depth, height and width; a dimension that the operator has not is one of a single element.
struct PoolGeometry {
  int64_t samples = 1;
  int64_t channels = 1;
  std::array<WindowAxis, 3> axes;
};

/// Of `input` [N, C, spatial...] or [C, spatial...] with `rank` spatial dimensions. Lists have `rank` elements or one,
/// which is meant for all; no `stride` is that of the kernel. Throws Error, which starts with `name`, for arguments
/// that do not fit, dimensions without elements but for N, and if there is no window.
PoolGeometry pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel, IntArrayRef stride,
                           IntArrayRef padding, IntArrayRef dilation, bool ceil_mode);

/// The same for means, of which those of volumes refuse windows that are larger than `input` without padding.
PoolGeometry avg_pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel,
                               IntArrayRef stride, IntArrayRef padding, bool ceil_mode);

/// The same for pooling to `output` windows along each dimension, of which only inputs and outputs are told. As in
/// PyTorch, the first dimension may be without elements also where it is C, and C always if it `may_lack_channels`.
PoolGeometry adaptive_pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef output,
                                    bool may_lack_channels = false);

/// The sizes of what comes out of `input`.
DimVector pooled_sizes(const Tensor& input, size_t rank, const PoolGeometry& geometry);

}  // namespace structured::kernels
