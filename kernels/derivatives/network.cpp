// Derivatives of losses, normalizations, convolutions and pooling.
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/ops/_adaptive_avg_pool2d_backward.h>
#include <structured/ops/avg_pool2d_backward.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/div.h>
#include <structured/ops/exp.h>
#include <structured/ops/index_select.h>
#include <structured/ops/max_pool2d_with_indices_backward.h>
#include <structured/ops/mul.h>
#include <structured/ops/native_batch_norm_backward.h>
#include <structured/ops/native_dropout_backward.h>
#include <structured/ops/native_group_norm_backward.h>
#include <structured/ops/native_layer_norm_backward.h>
#include <structured/ops/ne.h>
#include <structured/ops/neg.h>
#include <structured/ops/reshape.h>
#include <structured/ops/scatter.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "derivatives/formula.h"

namespace structured::derivatives {

using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

[[structured::backward("_softmax")]]
Tensor softmax(const Tensor& grad, const Tensor& out, int64_t dim) {
  const Tensor product = structured::mul(grad, out);
  return structured::sub(product, structured::mul(out, structured::sum(product, dim, true)));
}

[[structured::backward("_log_softmax")]]
Tensor log_softmax(const Tensor& grad, const Tensor& out, int64_t dim) {
  return structured::sub(grad, structured::mul(structured::exp(out), structured::sum(grad, dim, true)));
}

[[structured::backward("nll_loss_forward", "self")]]
Tensor nll_loss(const Tensor& grad_output, IntArrayRef self_sizes, const Tensor& target,
                const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                const Tensor& total_weight) {
  if (!grad_output.defined()) return Tensor();
  const Tensor is_counted = structured::ne(target, ignore_index);
  const Tensor classes = structured::where(is_counted, target, 0);
  Tensor row_gradient =
      reduction == Reduction::Mean ? structured::div(grad_output, total_weight.detach()) : grad_output;
  if (weight.has_value() && weight->defined()) {
    const Tensor weights = structured::index_select(*weight, 0, structured::reshape(classes, -1));
    row_gradient = structured::mul(row_gradient, structured::reshape(weights, target.sizes()));
  }
  row_gradient = structured::where(is_counted, structured::neg(row_gradient), 0.0);
  return structured::scatter(structured::zeros(self_sizes, grad_output.options()), -1,
                             structured::unsqueeze(classes, -1), structured::unsqueeze(row_gradient, -1));
}

[[structured::backward("mse_loss")]]
TwoTensors mse_loss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor difference = structured::sub(self, target);
  const double count = reduction == Reduction::Mean ? static_cast<double>(difference.numel()) : 1.0;
  const Tensor of_self = structured::mul(structured::mul(difference, grad), 2 / count);
  return {summed_to(of_self, self.sizes()), summed_to(structured::neg(of_self), target.sizes())};
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
  return structured::native_layer_norm_backward(grad, input, normalized_shape, out1, out2, weight, bias,
                                                needs_gradient);
}

[[structured::backward("native_group_norm")]]
ThreeTensors native_group_norm(const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight, int64_t N,
                               int64_t C, int64_t HxW, int64_t group, const Tensor& out1, const Tensor& out2,
                               std::array<bool, 3> needs_gradient) {
  return structured::native_group_norm_backward(grad, input, out1, out2, weight, N, C, HxW, group, needs_gradient);
}

[[structured::backward("native_batch_norm", "input", "weight", "bias")]]
ThreeTensors native_batch_norm(const Tensor& grad, const Tensor& input, const std::optional<Tensor>& weight,
                               const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                               const Tensor& save_mean, const Tensor& save_invstd, bool training, double eps,
                               std::array<bool, 3> needs_gradient) {
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

}  // namespace structured::derivatives
