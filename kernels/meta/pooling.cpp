// Meta functions of pooling.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "pooling_geometry.h"

namespace structured::kernels {
namespace {

// Options of the result; ATen keeps the memory format for 2-d pooling only.
TensorOptions like(const Tensor& input, bool keeps_format) {
  return keeps_format ? input.options().memory_format(input.suggest_memory_format()) : input.options();
}

void set_maxima(MetaBase& op, const Tensor& self, const DimVector& sizes, bool keeps_format) {
  op.set_output_raw_strided(0, sizes, {}, like(self, keeps_format));
  op.set_output_raw_strided(1, sizes, {}, like(self, keeps_format).dtype(kLong));
}

void set_max_pool(const char* name, MetaBase& op, const Tensor& self, size_t rank, IntArrayRef kernel,
                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  const PoolGeometry geometry = pool_geometry(name, self, rank, kernel, stride, padding, dilation, ceil_mode);
  check_dtype(name, self.scalar_type(), kRealTypes);
  set_maxima(op, self, pooled_sizes(self, rank, geometry), rank == 2);
}

void set_avg_pool(const char* name, MetaBase& op, const Tensor& self, size_t rank, IntArrayRef kernel,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode, std::optional<int64_t> divisor,
                  ScalarTypeSet types) {
  STRUCTURED_CHECK(!divisor || *divisor != 0, name, ": expected a `divisor_override` other than 0");
  const PoolGeometry geometry = avg_pool_geometry(name, self, rank, kernel, stride, padding, ceil_mode);
  check_dtype(name, self.scalar_type(), types);
  op.set_output_raw_strided(0, pooled_sizes(self, rank, geometry), {}, like(self, rank == 2));
}

void set_adaptive_avg_pool(const char* name, MetaBase& op, const Tensor& self, size_t rank, IntArrayRef output_size) {
  const PoolGeometry geometry = adaptive_pool_geometry(name, self, rank, output_size, rank == 2);
  const DimVector sizes = pooled_sizes(self, rank, geometry);
  // 2-d pooling with an empty result accepts any dtype, as in PyTorch.
  const bool has_means = std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
  if (has_means || rank != 2) check_dtype(name, self.scalar_type(), kAllFloatingTypes);
  op.set_output_raw_strided(0, sizes, {}, like(self, rank == 2));
}

void set_adaptive_max_pool(const char* name, MetaBase& op, const Tensor& self, size_t rank, IntArrayRef output_size) {
  const PoolGeometry geometry = adaptive_pool_geometry(name, self, rank, output_size);
  check_dtype(name, self.scalar_type(), kAllFloatingTypes);
  set_maxima(op, self, pooled_sizes(self, rank, geometry), rank == 2);
}

void set_max_unpool(const char* name, MetaBase& op, const Tensor& self, const Tensor& indices, size_t rank,
                    IntArrayRef output_size) {
  const PoolGeometry geometry = adaptive_pool_geometry(name, self, rank, output_size);
  STRUCTURED_CHECK(indices.scalar_type() == kLong, name, ": expected `indices` of dtype Long, got ",
                   indices.scalar_type());
  STRUCTURED_CHECK(indices.sizes() == self.sizes(), name, ": expected `indices` to have the sizes of `self`, ",
                   self.sizes(), ", got ", indices.sizes());
  check_dtype(name, self.scalar_type(), kAllFloatingTypes);
  op.set_output_raw_strided(0, pooled_sizes(self, rank, geometry), {}, like(self, rank == 2));
}

}  // namespace

/// Max pooling of `self` [N, C, H, W] or [C, H, W]: the maximum of each window and its index in the plane (Long).
///
/// `stride` defaults to `kernel_size`. The input is padded by the lowest value of its dtype; `padding` is at most half
/// of `kernel_size`. With `ceil_mode`, windows that overhang the end are included. NaN is propagated; of equal elements
/// the first is chosen, of several NaN the last. Bool and complex inputs are not supported.
[[structured::meta("max_pool2d_with_indices", "max_pool2d_with_indices.out"), structured::tags("core")]]
void max_pool2d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                     [[structured::size(2)]] IntArrayRef stride = {}, [[structured::size(2)]] IntArrayRef padding = 0,
                     [[structured::size(2)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  set_max_pool("max_pool2d_with_indices", op, self, 2, kernel_size, stride, padding, dilation, ceil_mode);
}

/// Max pooling of `self` [N, C, D, H, W] or [C, D, H, W]: the maximum of each window and its index in the volume
/// (Long).
///
/// `stride` defaults to `kernel_size`. The input is padded by the lowest value of its dtype; `padding` is at most half
/// of `kernel_size`. With `ceil_mode`, windows that overhang the end are included. NaN is propagated; of equal elements
/// the first is chosen, of several NaN the last. Bool and complex inputs are not supported.
[[structured::meta("max_pool3d_with_indices", "max_pool3d_with_indices.out"), structured::tags("core")]]
void max_pool3d_meta(MetaBase& op, const Tensor& self, [[structured::size(3)]] IntArrayRef kernel_size,
                     [[structured::size(3)]] IntArrayRef stride = {}, [[structured::size(3)]] IntArrayRef padding = 0,
                     [[structured::size(3)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  set_max_pool("max_pool3d_with_indices", op, self, 3, kernel_size, stride, padding, dilation, ceil_mode);
}

/// Average pooling of `self` [N, C, H, W] or [C, H, W]: the mean of each window.
///
/// The sum of a window is divided by `divisor_override` if given, otherwise by its number of elements, which includes
/// zero padding if `count_include_pad`. `stride` defaults to `kernel_size`; `padding` is at most half of `kernel_size`.
/// With `ceil_mode`, windows that overhang the end are included. Floating-point dtypes and Long only.
[[structured::meta("avg_pool2d", "avg_pool2d.out"), structured::tags("core")]]
void avg_pool2d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                     [[structured::size(2)]] IntArrayRef stride = {}, [[structured::size(2)]] IntArrayRef padding = 0,
                     bool ceil_mode = false, [[maybe_unused]] bool count_include_pad = true,
                     std::optional<int64_t> divisor_override = std::nullopt) {
  set_avg_pool("avg_pool2d", op, self, 2, kernel_size, stride, padding, ceil_mode, divisor_override,
               kAllFloatingTypes | kLong);
}

/// Average pooling of `self` [N, C, D, H, W] or [C, D, H, W]: the mean of each window.
///
/// The sum of a window is divided by `divisor_override` if given, otherwise by its number of elements, which includes
/// zero padding if `count_include_pad`. `stride` defaults to `kernel_size`; `padding` is at most half of `kernel_size`,
/// and windows must not be larger than the unpadded input. With `ceil_mode`, windows that overhang the end are
/// included. Float, Double and Long only.
[[structured::meta("avg_pool3d", "avg_pool3d.out"), structured::tags("core")]]
void avg_pool3d_meta(MetaBase& op, const Tensor& self, [[structured::size(3)]] IntArrayRef kernel_size,
                     [[structured::size(3)]] IntArrayRef stride = {}, [[structured::size(3)]] IntArrayRef padding = 0,
                     bool ceil_mode = false, [[maybe_unused]] bool count_include_pad = true,
                     std::optional<int64_t> divisor_override = std::nullopt) {
  set_avg_pool("avg_pool3d", op, self, 3, kernel_size, stride, padding, ceil_mode, divisor_override,
               kFloatingTypes | kLong);
}

/// Adaptive average pooling of `self` [N, C, H, W] or [C, H, W] to the spatial size `output_size`: the mean of evenly
/// spaced windows that cover the input. Floating-point dtypes only.
[[structured::meta("_adaptive_avg_pool2d", "_adaptive_avg_pool2d.out"), structured::tags("core")]]
void adaptive_avg_pool2d_meta(MetaBase& op, const Tensor& self,
                              [[structured::size(2), structured::symint]] IntArrayRef output_size) {
  set_adaptive_avg_pool("_adaptive_avg_pool2d", op, self, 2, output_size);
}

/// Adaptive average pooling of `self` [N, C, D, H, W] or [C, D, H, W] to the spatial size `output_size`: the mean of
/// evenly spaced windows that cover the input. Floating-point dtypes only.
[[structured::meta("_adaptive_avg_pool3d", "_adaptive_avg_pool3d.out")]]
void adaptive_avg_pool3d_meta(MetaBase& op, const Tensor& self, [[structured::size(3)]] IntArrayRef output_size) {
  set_adaptive_avg_pool("_adaptive_avg_pool3d", op, self, 3, output_size);
}

/// Adaptive max pooling of `self` [N, C, H, W] or [C, H, W] to the spatial size `output_size`: the maximum of evenly
/// spaced windows that cover the input, and its index in the plane (Long). Floating-point dtypes only.
[[structured::meta("adaptive_max_pool2d", "adaptive_max_pool2d.out")]]
void adaptive_max_pool2d_meta(MetaBase& op, const Tensor& self, [[structured::size(2)]] IntArrayRef output_size) {
  set_adaptive_max_pool("adaptive_max_pool2d", op, self, 2, output_size);
}

/// Adaptive max pooling of `self` [N, C, D, H, W] or [C, D, H, W] to the spatial size `output_size`: the maximum of
/// evenly spaced windows that cover the input, and its index in the volume (Long). Floating-point dtypes only.
[[structured::meta("adaptive_max_pool3d", "adaptive_max_pool3d.out")]]
void adaptive_max_pool3d_meta(MetaBase& op, const Tensor& self, [[structured::size(3)]] IntArrayRef output_size) {
  set_adaptive_max_pool("adaptive_max_pool3d", op, self, 3, output_size);
}

/// Partial inverse of max_pool2d_with_indices: writes each element of `self` [N, C, H, W] or [C, H, W] to position
/// `indices` (Long) of a zero plane of size `output_size`. An index outside the plane is an error. Floating-point
/// dtypes only.
[[structured::meta("max_unpool2d", "max_unpool2d.out")]]
void max_unpool2d_meta(MetaBase& op, const Tensor& self, const Tensor& indices,
                       [[structured::size(2)]] IntArrayRef output_size) {
  set_max_unpool("max_unpool2d", op, self, indices, 2, output_size);
}

/// Partial inverse of max_pool3d_with_indices: writes each element of `self` [N, C, D, H, W] or [C, D, H, W] to
/// position `indices` (Long) of a zero volume of size `output_size`. An index outside the volume is an error. `stride`
/// and `padding` are checked but not used. Floating-point dtypes only.
[[structured::meta("max_unpool3d", "max_unpool3d.out")]]
void max_unpool3d_meta(MetaBase& op, const Tensor& self, const Tensor& indices,
                       [[structured::size(3)]] IntArrayRef output_size, [[structured::size(3)]] IntArrayRef stride,
                       [[structured::size(3)]] IntArrayRef padding) {
  STRUCTURED_CHECK(stride.size() == 3 && padding.size() == 3,
                   "max_unpool3d: expected `stride` and `padding` to have 3 elements, got ", stride.size(), " and ",
                   padding.size());
  for (const int64_t step : stride) {
    STRUCTURED_CHECK(step > 0, "max_unpool3d: expected a positive `stride`, got ", stride);
  }
  set_max_unpool("max_unpool3d", op, self, indices, 3, output_size);
}

}  // namespace structured::kernels
