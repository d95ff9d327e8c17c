#include "pooling_geometry.h"

#include <structured/base/error.h>

namespace structured::kernels {
namespace {

// Returns element `d` of a list with one element for each dimension, or one for all.
int64_t element(const char* name, const char* argument, IntArrayRef list, size_t rank, size_t d) {
  STRUCTURED_CHECK(list.size() == rank || list.size() == 1, name, ": expected `", argument, "` to have 1 or ", rank,
                   " elements, got ", list.size());
  return list.size() == 1 ? list[0] : list[d];
}

// Sets sizes but no window parameters. Dimensions from `first_full` on must not be empty.
PoolGeometry geometry_of(const char* name, const Tensor& input, size_t rank, size_t first_full) {
  const IntArrayRef sizes = input.sizes();
  STRUCTURED_CHECK(sizes.size() == rank + 1 || sizes.size() == rank + 2, name, ": expected `input` to have ", rank + 1,
                   " or ", rank + 2, " dimensions, got sizes ", sizes);
  const size_t first = sizes.size() - rank;
  PoolGeometry result;
  result.samples = first == 2 ? sizes[0] : 1;
  result.channels = sizes[first - 1];
  for (size_t d = 0; d < rank; ++d) result.axes[3 - rank + d].input = sizes[first + d];
  for (size_t d = first_full; d < sizes.size(); ++d) {
    STRUCTURED_CHECK(sizes[d] != 0, name, ": expected dimensions after the ", first_full < first ? "batch" : "channels",
                     " to have elements, got sizes ", sizes);
  }
  return result;
}

// Rounds towards negative infinity.
int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

int64_t count_windows(const char* name, const WindowAxis& axis, bool ceil_mode) {
  int64_t padded = 0;
  int64_t reach = 0;
  const bool fits = !__builtin_add_overflow(axis.input, 2 * axis.padding, &padded) &&
                    !__builtin_mul_overflow(axis.dilation, axis.kernel - 1, &reach) &&
                    !__builtin_add_overflow(padded, ceil_mode ? axis.stride - 1 : 0, &padded);
  STRUCTURED_CHECK(fits, name, ": sizes overflow");
  int64_t count = floor_divide(padded - reach - 1, axis.stride) + 1;
  // The last window must start within the input or the leading padding.
  if (ceil_mode && count > 0 && (count - 1) > (axis.input + axis.padding - 1) / axis.stride) --count;
  return count;
}

}  // namespace

PoolGeometry pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel, IntArrayRef stride,
                           IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  PoolGeometry result = geometry_of(name, input, rank, input.sizes().size() - rank - 1);
  for (size_t d = 0; d < rank; ++d) {
    WindowAxis& axis = result.axes[3 - rank + d];
    axis.kernel = element(name, "kernel_size", kernel, rank, d);
    axis.stride = stride.empty() ? axis.kernel : element(name, "stride", stride, rank, d);
    axis.padding = element(name, "padding", padding, rank, d);
    axis.dilation = element(name, "dilation", dilation, rank, d);
    STRUCTURED_CHECK(axis.kernel > 0, name, ": expected a positive `kernel_size`, got ", kernel);
    STRUCTURED_CHECK(axis.stride > 0, name, ": expected a positive `stride`, got ", stride);
    STRUCTURED_CHECK(axis.dilation > 0, name, ": expected a positive `dilation`, got ", dilation);
    STRUCTURED_CHECK(axis.padding >= 0 && axis.padding <= axis.kernel / 2, name,
                     ": expected `padding` from 0 to half of `kernel_size`, got ", padding, " for ", kernel);
    axis.output = count_windows(name, axis, ceil_mode);
    STRUCTURED_CHECK(axis.output >= 1, name, ": expected `input` to be no smaller than a window, got sizes ",
                     input.sizes(), " for `kernel_size` ", kernel, ", `padding` ", padding, " and `dilation` ",
                     dilation);
  }
  return result;
}

PoolGeometry avg_pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef kernel,
                               IntArrayRef stride, IntArrayRef padding, bool ceil_mode) {
  const PoolGeometry result = pool_geometry(name, input, rank, kernel, stride, padding, 1, ceil_mode);
  for (const WindowAxis& axis : result.axes) {
    STRUCTURED_CHECK(rank != 3 || axis.kernel <= axis.input, name,
                     ": expected `input` to be no smaller than a window without padding, got sizes ", input.sizes(),
                     " for `kernel_size` ", kernel);
  }
  return result;
}

PoolGeometry adaptive_pool_geometry(const char* name, const Tensor& input, size_t rank, IntArrayRef output,
                                    bool may_lack_channels) {
  PoolGeometry result = geometry_of(name, input, rank, may_lack_channels ? input.sizes().size() - rank : 1);
  STRUCTURED_CHECK(output.size() == rank, name, ": expected `output_size` to have ", rank, " elements, got ",
                   output.size());
  for (size_t d = 0; d < rank; ++d) {
    STRUCTURED_CHECK(output[d] >= 0, name, ": expected an `output_size` of 0 or more, got ", output);
    result.axes[3 - rank + d].output = output[d];
  }
  return result;
}

DimVector pooled_sizes(const Tensor& input, size_t rank, const PoolGeometry& geometry) {
  DimVector result(input.sizes());
  for (size_t d = 0; d < rank; ++d) result[result.size() - rank + d] = geometry.axes[3 - rank + d].output;
  return result;
}

}  // namespace structured::kernels
