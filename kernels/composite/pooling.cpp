// Composite kernels for pooling without indices, and for 1-d pooling as 2-d pooling of one row.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/_adaptive_avg_pool2d.h>
#include <structured/ops/_adaptive_avg_pool3d.h>
#include <structured/ops/adaptive_max_pool2d.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/max_pool2d_with_indices.h>
#include <structured/ops/max_pool3d_with_indices.h>
#include <structured/ops/mean.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/unsqueeze.h>
#include <structured/structured.h>

#include <tuple>

namespace structured::kernels {
namespace {

// Views [..., W] as [..., 1, W].
Tensor with_row(const char* name, const Tensor& self) {
  STRUCTURED_CHECK(self.dim() == 2 || self.dim() == 3, name, ": expected `self` to have 2 or 3 dimensions, got ",
                   self.dim());
  return structured::unsqueeze(self, -2);
}

// Views [..., 1, W] as [..., W].
Tensor without_row(const Tensor& self) { return structured::squeeze(self, -2); }

// Extends a 1-element argument list to two dimensions; the first element becomes `first`.
DimVector to_2d_argument(const char* name, const char* argument, int64_t first, IntArrayRef list) {
  STRUCTURED_CHECK(list.size() == 1, name, ": expected `", argument, "` to have 1 element, got ", list.size());
  return {first, list[0]};
}

std::tuple<Tensor, Tensor> max_pool_rows(const char* name, const Tensor& self, IntArrayRef kernel_size,
                                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                                         bool ceil_mode) {
  const DimVector step = to_2d_argument(name, "stride", 1, stride.empty() ? kernel_size : stride);
  const auto [values, indices] = structured::max_pool2d_with_indices(
      with_row(name, self), to_2d_argument(name, "kernel_size", 1, kernel_size), step,
      to_2d_argument(name, "padding", 0, padding), to_2d_argument(name, "dilation", 1, dilation), ceil_mode);
  return {without_row(values), without_row(indices)};
}

}  // namespace

/// Max pooling of `self` [N, C, W] or [C, W]: the maximum of each window. `stride` defaults to `kernel_size`. NaN is
/// propagated. Floating-point dtypes only.
[[structured::composite("max_pool1d")]]
Tensor max_pool1d(const Tensor& self, [[structured::size(1)]] IntArrayRef kernel_size,
                  [[structured::size(1)]] IntArrayRef stride = {}, [[structured::size(1)]] IntArrayRef padding = 0,
                  [[structured::size(1)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  return std::get<0>(max_pool_rows("max_pool1d", self, kernel_size, stride, padding, dilation, ceil_mode));
}

/// Max pooling of `self` [N, C, W] or [C, W]: the maximum of each window and its index in the row (Long). `stride`
/// defaults to `kernel_size`. NaN is propagated. Floating-point dtypes only.
[[structured::composite("max_pool1d_with_indices")]]
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, [[structured::size(1)]] IntArrayRef kernel_size,
                                                   [[structured::size(1)]] IntArrayRef stride = {},
                                                   [[structured::size(1)]] IntArrayRef padding = 0,
                                                   [[structured::size(1)]] IntArrayRef dilation = 1,
                                                   bool ceil_mode = false) {
  return max_pool_rows("max_pool1d_with_indices", self, kernel_size, stride, padding, dilation, ceil_mode);
}

/// Max pooling of `self` [N, C, H, W] or [C, H, W]: the maximum of each window. `stride` defaults to `kernel_size`. NaN
/// is propagated. Floating-point dtypes only.
[[structured::composite("max_pool2d")]]
Tensor max_pool2d(const Tensor& self, [[structured::size(2)]] IntArrayRef kernel_size,
                  [[structured::size(2)]] IntArrayRef stride = {}, [[structured::size(2)]] IntArrayRef padding = 0,
                  [[structured::size(2)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  return std::get<0>(structured::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

/// Max pooling of `self` [N, C, D, H, W] or [C, D, H, W]: the maximum of each window. `stride` defaults to
/// `kernel_size`. NaN is propagated. Floating-point dtypes only.
[[structured::composite("max_pool3d")]]
Tensor max_pool3d(const Tensor& self, [[structured::size(3)]] IntArrayRef kernel_size,
                  [[structured::size(3)]] IntArrayRef stride = {}, [[structured::size(3)]] IntArrayRef padding = 0,
                  [[structured::size(3)]] IntArrayRef dilation = 1, bool ceil_mode = false) {
  return std::get<0>(structured::max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

/// Average pooling of `self` [N, C, W] or [C, W]: the mean of each window, which includes zero padding if
/// `count_include_pad`. `stride` defaults to `kernel_size`. Floating-point dtypes and Long only.
[[structured::composite("avg_pool1d"), structured::variants("avg_pool1d.out")]]
Tensor avg_pool1d(const Tensor& self, [[structured::size(1)]] IntArrayRef kernel_size,
                  [[structured::size(1)]] IntArrayRef stride = {}, [[structured::size(1)]] IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true) {
  constexpr const char* name = "avg_pool1d";
  const DimVector step = to_2d_argument(name, "stride", 1, stride.empty() ? kernel_size : stride);
  return without_row(structured::avg_pool2d(with_row(name, self), to_2d_argument(name, "kernel_size", 1, kernel_size),
                                            step, to_2d_argument(name, "padding", 0, padding), ceil_mode,
                                            count_include_pad));
}

/// Adaptive average pooling of `self` [N, C, W] or [C, W] to width `output_size`: the mean of evenly spaced windows
/// that cover the input. Floating-point dtypes only.
[[structured::composite("adaptive_avg_pool1d"), structured::variants("adaptive_avg_pool1d.out")]]
Tensor adaptive_avg_pool1d(const Tensor& self, [[structured::size(1)]] IntArrayRef output_size) {
  constexpr const char* name = "adaptive_avg_pool1d";
  return without_row(
      structured::_adaptive_avg_pool2d(with_row(name, self), to_2d_argument(name, "output_size", 1, output_size)));
}

/// Adaptive max pooling of `self` [N, C, W] or [C, W] to width `output_size`: the maximum of evenly spaced windows that
/// cover the input, and its index in the row (Long). Floating-point dtypes only.
[[structured::composite("adaptive_max_pool1d")]]
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, [[structured::size(1)]] IntArrayRef output_size) {
  constexpr const char* name = "adaptive_max_pool1d";
  const auto [values, indices] =
      structured::adaptive_max_pool2d(with_row(name, self), to_2d_argument(name, "output_size", 1, output_size));
  return {without_row(values), without_row(indices)};
}

/// Adaptive average pooling of `self` [N, C, H, W] or [C, H, W] to the spatial size `output_size`: the mean of evenly
/// spaced windows that cover the input. Floating-point dtypes only.
[[structured::composite("adaptive_avg_pool2d")]]
Tensor adaptive_avg_pool2d(const Tensor& self, [[structured::size(2), structured::symint]] IntArrayRef output_size) {
  // A single window is the mean of the plane, which mean() sums in larger blocks.
  const bool is_mean =
      output_size == IntArrayRef({1, 1}) && self.is_contiguous() && self.numel() != 0 && self.is_floating_point();
  if (is_mean && (self.dim() == 3 || self.dim() == 4)) return structured::mean(self, {-2, -1}, true);
  return structured::_adaptive_avg_pool2d(self, output_size);
}

/// Writes the adaptive average pooling of `self` [N, C, H, W] or [C, H, W] to `out`, which is resized to the spatial
/// size `output_size`. Floating-point dtypes only.
[[structured::kernel("adaptive_avg_pool2d.out", "CompositeExplicitAutograd")]]
Tensor& adaptive_avg_pool2d_out(const Tensor& self, [[structured::size(2), structured::symint]] IntArrayRef output_size,
                                Tensor& out) {
  return structured::_adaptive_avg_pool2d_out(out, self, output_size);
}

/// Adaptive average pooling of `self` [N, C, D, H, W] or [C, D, H, W] to the spatial size `output_size`: the mean of
/// evenly spaced windows that cover the input. Floating-point dtypes only.
[[structured::composite("adaptive_avg_pool3d")]]
Tensor adaptive_avg_pool3d(const Tensor& self, [[structured::size(3)]] IntArrayRef output_size) {
  return structured::_adaptive_avg_pool3d(self, output_size);
}

/// Writes the adaptive average pooling of `self` [N, C, D, H, W] or [C, D, H, W] to `out`, which is resized to the
/// spatial size `output_size`. Floating-point dtypes only.
[[structured::kernel("adaptive_avg_pool3d.out", "CompositeExplicitAutograd")]]
Tensor& adaptive_avg_pool3d_out(const Tensor& self, [[structured::size(3)]] IntArrayRef output_size, Tensor& out) {
  return structured::_adaptive_avg_pool3d_out(out, self, output_size);
}

}  // namespace structured::kernels
