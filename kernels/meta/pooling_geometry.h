#pragma once
// Geometry of pooling: arguments, sizes and numbers of windows along each spatial dimension.
#include <structured/base/export.h>
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <array>
#include <cstdint>

#include "window_axis.h"

namespace structured::kernels {

/// Axes are depth, height and width; missing spatial dimensions have one element.
struct PoolGeometry {
  int64_t samples = 1;
  int64_t channels = 1;
  std::array<WindowAxis, 3> axes;
};

/// Geometry of pooling of `input` [N, C, ...] or [C, ...] with `rank` spatial dimensions. Lists have `rank` elements,
/// or one for all; an empty `stride` defaults to `kernel`. Throws Error, with `name` as prefix, for invalid arguments,
/// for empty dimensions other than N, and if there is no window.
STRUCTURED_API PoolGeometry pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel,
                                          IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                          bool ceil_mode);

/// Geometry of average pooling, with the arguments and errors of pool_geometry. 3-d pooling also rejects windows that
/// are larger than the unpadded input.
PoolGeometry avg_pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel,
                               IntArrayRef stride, IntArrayRef padding, bool ceil_mode);

/// Geometry of adaptive pooling to `output` windows along each dimension. Only `input` and `output` of the axes are
/// set. As in PyTorch, dimension 0 may be empty even when it is C; with `may_lack_channels`, C may always be empty.
STRUCTURED_API PoolGeometry adaptive_pool_geometry(const char* name, const Tensor& input, size_t rank,
                                                   IntArrayRef output, bool may_lack_channels = false);

/// Returns the sizes of the result.
DimVector pooled_sizes(const Tensor& input, size_t rank, const PoolGeometry& geometry);

}  // namespace structured::kernels
