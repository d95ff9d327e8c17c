// Meta functions of the gradients of pooling.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <optional>

#include "pooling_geometry.h"

namespace structured::kernels {
namespace {

void set_gradient(const char* name, MetaBase& op, const Tensor& grad_output, const Tensor& self, size_t rank,
                  IntArrayRef pooled, ScalarTypeSet dtypes) {
  STRUCTURED_CHECK(grad_output.sizes() == pooled, name, ": expected `grad_output` to have the sizes of the result, ",
                   pooled, ", got ", grad_output.sizes());
  check_dtype(name, self.scalar_type(), dtypes);
  STRUCTURED_CHECK(grad_output.scalar_type() == self.scalar_type(), name, ": expected `grad_output` of dtype ",
                   self.scalar_type(), ", as `self` has, got ", grad_output.scalar_type());
  const TensorOptions options = self.options();
  op.set_output_raw_strided(0, self.sizes(), {},
                            rank == 2 ? options.memory_format(self.suggest_memory_format()) : options);
}

void check_indices(const char* name, const Tensor& indices, const Tensor& grad_output) {
  STRUCTURED_CHECK(indices.scalar_type() == kLong, name, ": expected `indices` of dtype Long, got ",
                   indices.scalar_type());
  STRUCTURED_CHECK(indices.sizes() == grad_output.sizes(), name, ": expected `indices` to have the sizes of ",
                   "`grad_output`, ", grad_output.sizes(), ", got ", indices.sizes());
}

void set_adaptive(const char* name, MetaBase& op, const Tensor& grad_output, const Tensor& self, size_t rank) {
  STRUCTURED_CHECK(grad_output.dim() == self.dim() && self.dim() > static_cast<int64_t>(rank), name,
                   ": expected `grad_output` to have as many dimensions as `self`, ", rank + 1, " or ", rank + 2,
                   ", got ", grad_output.dim(), " and ", self.dim());
  const IntArrayRef sizes = grad_output.sizes();
  const IntArrayRef output(sizes.data() + sizes.size() - rank, rank);
  const PoolGeometry geometry = adaptive_pool_geometry(name, self, rank, output);
  for (const int64_t size : output) {
    STRUCTURED_CHECK(size > 0, name, ": expected dimensions after the batch to have elements, got sizes ", sizes);
  }
  set_gradient(name, op, grad_output, self, rank, pooled_sizes(self, rank, geometry), kAllFloatingTypes);
}

void set_max(const char* name, MetaBase& op, const Tensor& grad_output, const Tensor& self, size_t rank,
             IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
             const Tensor& indices) {
  const PoolGeometry geometry = pool_geometry(name, self, rank, kernel, stride, padding, dilation, ceil_mode);
  set_gradient(name, op, grad_output, self, rank, pooled_sizes(self, rank, geometry), kAllFloatingTypes);
  check_indices(name, indices, grad_output);
}

void set_avg(const char* name, MetaBase& op, const Tensor& grad_output, const Tensor& self, size_t rank,
             IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
             std::optional<int64_t> divisor) {
  STRUCTURED_CHECK(!divisor || *divisor != 0, name, ": expected a `divisor_override` other than 0");
  const PoolGeometry geometry = avg_pool_geometry(name, self, rank, kernel, stride, padding, ceil_mode);
  set_gradient(name, op, grad_output, self, rank, pooled_sizes(self, rank, geometry), kAllFloatingTypes | kLong);
}

}  // namespace

/// Gradient of `max_pool2d_with_indices` with respect to `self`: adds each element of `grad_output` at position
/// `indices` (Long) of its plane. An index outside the plane is an error. Floating-point dtypes only.
[[structured::meta("max_pool2d_with_indices_backward", "max_pool2d_with_indices_backward.grad_input"),
  structured::tags("core")]]
void max_pool2d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                              [[structured::size(2)]] IntArrayRef kernel_size,
                              [[structured::size(2)]] IntArrayRef stride, [[structured::size(2)]] IntArrayRef padding,
                              [[structured::size(2)]] IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  set_max("max_pool2d_with_indices_backward", op, grad_output, self, 2, kernel_size, stride, padding, dilation,
          ceil_mode, indices);
}

/// Gradient of `max_pool3d_with_indices` with respect to `self`: adds each element of `grad_output` at position
/// `indices` (Long) of its volume. An index outside the volume is an error. Floating-point dtypes only.
[[structured::meta("max_pool3d_with_indices_backward", "max_pool3d_with_indices_backward.grad_input")]]
void max_pool3d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                              [[structured::size(3)]] IntArrayRef kernel_size,
                              [[structured::size(3)]] IntArrayRef stride, [[structured::size(3)]] IntArrayRef padding,
                              [[structured::size(3)]] IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  set_max("max_pool3d_with_indices_backward", op, grad_output, self, 3, kernel_size, stride, padding, dilation,
          ceil_mode, indices);
}

/// Gradient of `adaptive_max_pool2d` with respect to `self`: adds each element of `grad_output` at position `indices`
/// (Long) of its plane. An index outside the plane is an error. Floating-point dtypes only.
[[structured::meta("adaptive_max_pool2d_backward", "adaptive_max_pool2d_backward.grad_input")]]
void adaptive_max_pool2d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                                       const Tensor& indices) {
  set_adaptive("adaptive_max_pool2d_backward", op, grad_output, self, 2);
  check_indices("adaptive_max_pool2d_backward", indices, grad_output);
}

/// Gradient of `adaptive_max_pool3d` with respect to `self`: adds each element of `grad_output` at position `indices`
/// (Long) of its volume. An index outside the volume is an error. Floating-point dtypes only.
[[structured::meta("adaptive_max_pool3d_backward", "adaptive_max_pool3d_backward.grad_input")]]
void adaptive_max_pool3d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                                       const Tensor& indices) {
  set_adaptive("adaptive_max_pool3d_backward", op, grad_output, self, 3);
  check_indices("adaptive_max_pool3d_backward", indices, grad_output);
}

/// Gradient of `avg_pool2d` with respect to `self`: distributes each element of `grad_output`, divided by the same
/// divisor, over its window. Floating-point dtypes and Long only.
[[structured::meta("avg_pool2d_backward", "avg_pool2d_backward.grad_input"), structured::tags("core")]]
void avg_pool2d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                              [[structured::size(2)]] IntArrayRef kernel_size,
                              [[structured::size(2)]] IntArrayRef stride, [[structured::size(2)]] IntArrayRef padding,
                              bool ceil_mode, [[maybe_unused]] bool count_include_pad,
                              std::optional<int64_t> divisor_override) {
  set_avg("avg_pool2d_backward", op, grad_output, self, 2, kernel_size, stride, padding, ceil_mode, divisor_override);
}

/// Gradient of `avg_pool3d` with respect to `self`: distributes each element of `grad_output`, divided by the same
/// divisor, over its window. Floating-point dtypes and Long only.
[[structured::meta("avg_pool3d_backward", "avg_pool3d_backward.grad_input")]]
void avg_pool3d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self,
                              [[structured::size(3)]] IntArrayRef kernel_size,
                              [[structured::size(3)]] IntArrayRef stride, [[structured::size(3)]] IntArrayRef padding,
                              bool ceil_mode, [[maybe_unused]] bool count_include_pad,
                              std::optional<int64_t> divisor_override) {
  set_avg("avg_pool3d_backward", op, grad_output, self, 3, kernel_size, stride, padding, ceil_mode, divisor_override);
}

/// Gradient of `_adaptive_avg_pool2d` with respect to `self`: distributes each element of `grad_output` evenly over its
/// window. Floating-point dtypes only.
[[structured::meta("_adaptive_avg_pool2d_backward", "_adaptive_avg_pool2d_backward.out"), structured::tags("core")]]
void adaptive_avg_pool2d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self) {
  set_adaptive("_adaptive_avg_pool2d_backward", op, grad_output, self, 2);
}

/// Gradient of `_adaptive_avg_pool3d` with respect to `self`: distributes each element of `grad_output` evenly over its
/// window. Floating-point dtypes only.
[[structured::meta("_adaptive_avg_pool3d_backward", "_adaptive_avg_pool3d_backward.out")]]
void adaptive_avg_pool3d_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& self) {
  set_adaptive("_adaptive_avg_pool3d_backward", op, grad_output, self, 3);
}

}  // namespace structured::kernels
