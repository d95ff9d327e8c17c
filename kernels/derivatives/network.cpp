// Derivatives of normalizations, convolutions and pooling.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/_adaptive_avg_pool2d.h>
#include <structured/ops/_adaptive_avg_pool2d_backward.h>
#include <structured/ops/_adaptive_avg_pool3d.h>
#include <structured/ops/_adaptive_avg_pool3d_backward.h>
#include <structured/ops/_log_softmax_backward_data.h>
#include <structured/ops/_softmax_backward_data.h>
#include <structured/ops/adaptive_max_pool2d_backward.h>
#include <structured/ops/adaptive_max_pool3d_backward.h>
#include <structured/ops/add.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/avg_pool2d_backward.h>
#include <structured/ops/avg_pool3d.h>
#include <structured/ops/avg_pool3d_backward.h>
#include <structured/ops/convolution.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/exp.h>
#include <structured/ops/expand.h>
#include <structured/ops/flatten.h>
#include <structured/ops/gather.h>
#include <structured/ops/gt.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/max_pool2d_with_indices_backward.h>
#include <structured/ops/max_pool3d_with_indices_backward.h>
#include <structured/ops/mul.h>
#include <structured/ops/native_batch_norm_backward.h>
#include <structured/ops/native_dropout_backward.h>
#include <structured/ops/native_layer_norm_backward.h>
#include <structured/ops/neg.h>
#include <structured/ops/reshape.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/where.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("_softmax")]]
Tensor softmax(const Tensor& grad, const Tensor& out, int64_t dim, bool half_to_float) {
  return structured::_softmax_backward_data(grad, out, dim, half_to_float ? kHalf : out.scalar_type());
}

[[structured::backward("_softmax_backward_data", "grad_output")]]
Tensor softmax_backward_grad_output(const Tensor& grad, const Tensor& output, int64_t dim) {
  return structured::_softmax_backward_data(converted(grad, output), output, dim, output.scalar_type());
}

[[structured::backward("_softmax_backward_data", "output")]]
Tensor softmax_backward_output(const Tensor& grad, const Tensor& grad_output, const Tensor& output, int64_t dim) {
  const Tensor wide = converted(grad, output);
  const Tensor sum = structured::sum(structured::mul(grad_output, output), dim, true);
  const Tensor other_sum = structured::sum(structured::mul(wide, output), dim, true);
  return structured::sub(structured::mul(wide, structured::sub(grad_output, sum)),
                         structured::mul(grad_output, other_sum));
}

[[structured::backward("_safe_softmax")]]
Tensor safe_softmax(const Tensor& grad, const Tensor& out, int64_t dim) {
  return structured::_softmax_backward_data(grad, out, dim, out.scalar_type());
}

[[structured::backward("_prelu_kernel", "self")]]
Tensor prelu_self(const Tensor& grad, const Tensor& self, const Tensor& weight) {
  return structured::where(structured::gt(self, 0), grad, structured::mul(weight, grad));
}

[[structured::backward("_prelu_kernel", "weight")]]
Tensor prelu_weight(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::masked_fill(self, structured::gt(self, 0), 0));
}

[[structured::backward("_log_softmax")]]
Tensor log_softmax(const Tensor& grad, const Tensor& out, int64_t dim, bool half_to_float) {
  return structured::_log_softmax_backward_data(grad, out, dim, half_to_float ? kHalf : out.scalar_type());
}

[[structured::backward("_log_softmax_backward_data", "grad_output")]]
Tensor log_softmax_backward_grad_output(const Tensor& grad, const Tensor& output, int64_t dim) {
  const Tensor wide = converted(grad, output);
  return structured::sub(wide, structured::sum(structured::mul(wide, structured::exp(output)), dim, true));
}

[[structured::backward("_log_softmax_backward_data", "output")]]
Tensor log_softmax_backward_output(const Tensor& grad, const Tensor& grad_output, const Tensor& output, int64_t dim) {
  const Tensor wide = converted(grad, output);
  return structured::neg(
      structured::mul(structured::mul(structured::sum(grad_output, dim, true), structured::exp(output)), wide));
}

[[structured::backward("native_dropout")]]
Tensor native_dropout(const Tensor& grad, const Tensor& out1, double p, std::optional<bool> train) {
  if (!train.value_or(true)) return grad;
  return structured::native_dropout_backward(grad, out1, p == 1 ? 0.0 : 1 / (1 - p));
}

[[structured::backward("native_layer_norm")]]
ThreeTensors native_layer_norm(const Tensor& grad, const Tensor& input, IntArrayRef normalized_shape,
                               const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                               const Tensor& out1, const Tensor& out2, std::array<bool, 3> needs_gradient) {
  if (!grad.defined()) return {};
  return structured::native_layer_norm_backward(grad, input, normalized_shape, out1, out2, weight, bias,
                                                needs_gradient);
}

[[structured::backward("native_batch_norm", "input", "weight", "bias")]]
ThreeTensors native_batch_norm(const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight,
                               const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                               const Tensor& save_mean, const Tensor& save_invstd, bool training, double eps,
                               std::array<bool, 3> needs_gradient) {
  if (!grad.defined()) return {};
  return structured::native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean, save_invstd,
                                                training, eps, needs_gradient);
}

[[structured::backward("convolution")]]
ThreeTensors convolution(const Tensor& grad, const Tensor& input, const Tensor& weight, IntArrayRef bias_sizes,
                         IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                         IntArrayRef output_padding, int64_t groups, std::array<bool, 3> needs_gradient) {
  return structured::convolution_backward(grad, input, weight, OptionalIntArrayRef(bias_sizes), stride, padding,
                                          dilation, transposed, output_padding, groups, needs_gradient);
}

[[structured::backward("max_pool2d_with_indices")]]
Tensor max_pool2d(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  return structured::max_pool2d_with_indices_backward(grad, self, kernel_size, stride, padding, dilation, ceil_mode,
                                                      indices);
}

[[structured::backward("avg_pool2d")]]
Tensor avg_pool2d(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                  std::optional<int64_t> divisor_override) {
  return structured::avg_pool2d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                         divisor_override);
}

[[structured::backward("_adaptive_avg_pool2d")]]
Tensor adaptive_avg_pool2d(const Tensor& grad, const Tensor& self) {
  return structured::_adaptive_avg_pool2d_backward(grad, self);
}

[[structured::backward("_adaptive_avg_pool3d")]]
Tensor adaptive_avg_pool3d(const Tensor& grad, const Tensor& self) {
  return structured::_adaptive_avg_pool3d_backward(grad, self);
}

[[structured::backward("_adaptive_avg_pool2d_backward", "grad_output")]]
Tensor adaptive_avg_pool2d_twice(const Tensor& grad, IntArrayRef grad_output_sizes) {
  const IntArrayRef size(grad_output_sizes.data() + grad_output_sizes.size() - 2, 2);
  return structured::_adaptive_avg_pool2d(grad, size);
}

[[structured::backward("_adaptive_avg_pool3d_backward", "grad_output")]]
Tensor adaptive_avg_pool3d_twice(const Tensor& grad, IntArrayRef grad_output_sizes) {
  const IntArrayRef size(grad_output_sizes.data() + grad_output_sizes.size() - 3, 3);
  return structured::_adaptive_avg_pool3d(grad, size);
}

[[structured::backward("avg_pool3d")]]
Tensor avg_pool3d(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                  std::optional<int64_t> divisor_override) {
  return structured::avg_pool3d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                         divisor_override);
}

[[structured::backward("avg_pool2d_backward", "grad_output")]]
Tensor avg_pool2d_twice(const Tensor& grad, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                        bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override) {
  return structured::avg_pool2d(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}

[[structured::backward("avg_pool3d_backward", "grad_output")]]
Tensor avg_pool3d_twice(const Tensor& grad, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                        bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override) {
  return structured::avg_pool3d(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}

[[structured::backward("max_pool3d_with_indices")]]
Tensor max_pool3d(const Tensor& grad, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices) {
  return structured::max_pool3d_with_indices_backward(grad, self, kernel_size, stride, padding, dilation, ceil_mode,
                                                      indices);
}

[[structured::backward("adaptive_max_pool2d")]]
Tensor adaptive_max_pool2d(const Tensor& grad, const Tensor& self, const Tensor& indices) {
  return structured::adaptive_max_pool2d_backward(grad, self, indices);
}

[[structured::backward("adaptive_max_pool3d")]]
Tensor adaptive_max_pool3d(const Tensor& grad, const Tensor& self, const Tensor& indices) {
  return structured::adaptive_max_pool3d_backward(grad, self, indices);
}

/// The elements of `from` at `indices`, which count over the last `spatial` dimensions.
Tensor gathered_windows(const Tensor& from, const Tensor& indices, int64_t spatial) {
  const Tensor flat = structured::flatten(from, from.dim() - spatial, -1);
  const Tensor flat_indices = structured::flatten(indices, indices.dim() - spatial, -1);
  return structured::reshape(structured::gather(flat, -1, flat_indices), indices.sizes());
}

/// A tensor of `sizes` with the elements of `grad` added at `indices`, which count over the last `spatial` dimensions.
Tensor scattered_windows(const Tensor& grad, const Tensor& indices, IntArrayRef sizes, int64_t spatial) {
  const Tensor whole = structured::zeros(sizes, grad.options());
  const Tensor flat = structured::flatten(whole, whole.dim() - spatial, -1);
  const Tensor flat_indices = structured::flatten(indices, indices.dim() - spatial, -1);
  const Tensor flat_grad = structured::flatten(grad, grad.dim() - spatial, -1);
  return structured::reshape(structured::scatter_add(flat, -1, flat_indices, flat_grad), sizes);
}

[[structured::backward("max_pool2d_with_indices_backward",
                       "grad_output")]] [[structured::backward("adaptive_max_pool2d_backward", "grad_output")]]
Tensor max_pool2d_twice(const Tensor& grad, const Tensor& indices) {
  return gathered_windows(grad, indices, 2);
}

[[structured::backward("max_pool3d_with_indices_backward",
                       "grad_output")]] [[structured::backward("adaptive_max_pool3d_backward", "grad_output")]]
Tensor max_pool3d_twice(const Tensor& grad, const Tensor& indices) {
  return gathered_windows(grad, indices, 3);
}

[[structured::backward("fractional_max_pool2d", "self")]]
Tensor fractional_max_pool2d(const Tensor& grad, IntArrayRef self_sizes, const Tensor& indices) {
  return scattered_windows(grad, indices, self_sizes, 2);
}

[[structured::backward("fractional_max_pool3d", "self")]]
Tensor fractional_max_pool3d(const Tensor& grad, IntArrayRef self_sizes, const Tensor& indices) {
  return scattered_windows(grad, indices, self_sizes, 3);
}

[[structured::backward("max_unpool2d", "self")]]
Tensor max_unpool2d(const Tensor& grad, const Tensor& indices) {
  return gathered_windows(grad, indices, 2);
}

[[structured::backward("max_unpool3d", "self")]]
Tensor max_unpool3d(const Tensor& grad, const Tensor& indices) {
  return gathered_windows(grad, indices, 3);
}

[[structured::backward("native_dropout_backward", "grad_output")]]
Tensor native_dropout_twice(const Tensor& grad, const Tensor& mask, double scale) {
  return structured::native_dropout_backward(grad, mask, scale);
}

/// Derivatives of the gradients of a convolution, which are linear in two of `grad_output`, `input` and `weight` each.
[[structured::backward("convolution_backward", "grad_output", "input", "weight")]]
ThreeTensors convolution_twice(const Tensor& grad_out0, const Tensor& grad_out1, const Tensor& grad_out2,
                               const Tensor& grad_output, const Tensor& input, const Tensor& weight, IntArrayRef stride,
                               IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                               int64_t groups, std::array<bool, 3> needs_gradient) {
  const auto convolve = [&](const Tensor& of_input, const Tensor& of_weight) {
    return structured::convolution(of_input, of_weight, std::nullopt, stride, padding, dilation, transposed,
                                   output_padding, groups);
  };
  const auto gradients = [&](const Tensor& of_input, const Tensor& of_weight, std::array<bool, 3> mask) {
    return structured::convolution_backward(grad_output, of_input, of_weight, std::nullopt, stride, padding, dilation,
                                            transposed, output_padding, groups, mask);
  };
  ThreeTensors result;
  if (needs_gradient[0]) {
    Tensor sum;
    const auto include = [&](const Tensor& term) { sum = sum.defined() ? structured::add(sum, term) : term; };
    if (grad_out0.defined()) include(convolve(grad_out0, weight));
    if (grad_out1.defined()) include(convolve(input, grad_out1));
    if (grad_out2.defined()) {
      DimVector sizes(static_cast<std::size_t>(grad_output.dim()), 1);
      sizes[1] = grad_out2.numel();
      include(structured::expand(structured::reshape(grad_out2, sizes), grad_output.sizes()));
    }
    std::get<0>(result) = sum;
  }
  if (needs_gradient[1] && grad_out1.defined()) {
    std::get<1>(result) = std::get<0>(gradients(input, grad_out1, {true, false, false}));
  }
  if (needs_gradient[2] && grad_out0.defined()) {
    std::get<2>(result) = std::get<1>(gradients(grad_out0, weight, {false, true, false}));
  }
  return result;
}

}  // namespace structured::derivatives
