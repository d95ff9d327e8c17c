// Derivatives of losses.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/ops/_ctc_loss_backward.h>
#include <structured/ops/_to_copy.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/clamp.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/cumsum.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/gather.h>
#include <structured/ops/gt.h>
#include <structured/ops/index_select.h>
#include <structured/ops/log.h>
#include <structured/ops/log1p.h>
#include <structured/ops/log_sigmoid_forward.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/lt.h>
#include <structured/ops/mul.h>
#include <structured/ops/ne.h>
#include <structured/ops/neg.h>
#include <structured/ops/reshape.h>
#include <structured/ops/rsub.h>
#include <structured/ops/scatter.h>
#include <structured/ops/scatter_add.h>
#include <structured/ops/sgn.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

/// Gradient of the elements of a loss: `grad` where it is not reduced, its share of each element otherwise.
Tensor of_elements(const Tensor& grad, int64_t reduction, int64_t count) {
  return reduction == Reduction::Mean ? structured::div(grad, count) : grad;
}

/// Gradients of a loss of `self - target`, from that of `self` in the broadcast shape.
TwoTensors of_difference(const Tensor& of_self, const Tensor& self, const Tensor& target) {
  return {summed_to(of_self, self.sizes()), summed_to(structured::neg(of_self), target.sizes())};
}

}  // namespace

[[structured::backward("mse_loss")]]
TwoTensors mse_loss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor difference = structured::sub(self, target);
  const Tensor of_self =
      structured::mul(of_elements(grad, reduction, difference.numel()), structured::mul(difference, 2));
  return of_difference(of_self, self, target);
}

[[structured::backward("smooth_l1_loss")]]
TwoTensors smooth_l1_loss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction,
                          double beta) {
  const Tensor difference = structured::sub(self, target);
  Tensor slope = structured::sgn(difference);
  if (beta > 0) {
    slope =
        structured::where(structured::lt(structured::abs(difference), beta), structured::div(difference, beta), slope);
  }
  return of_difference(structured::mul(of_elements(grad, reduction, difference.numel()), slope), self, target);
}

[[structured::backward("huber_loss")]]
TwoTensors huber_loss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  const Tensor difference = structured::sub(self, target);
  const Tensor slope = structured::clamp(difference, -delta, delta);
  return of_difference(structured::mul(of_elements(grad, reduction, difference.numel()), slope), self, target);
}

[[structured::backward("soft_margin_loss", "self")]]
Tensor soft_margin_loss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor opposite = structured::neg(target);
  const Tensor slope = structured::mul(opposite, structured::sigmoid(structured::mul(self, opposite)));
  return summed_to(structured::mul(of_elements(grad, reduction, slope.numel()), slope), self.sizes());
}

/// The denominator is at least 1e-12, so that gradients at 0 and 1 are finite.
[[structured::backward("binary_cross_entropy", "self")]]
Tensor binary_cross_entropy_self(const Tensor& grad, const Tensor& self, const Tensor& target,
                                 const std::optional<Tensor>& weight, int64_t reduction) {
  const Tensor denominator = structured::clamp_min(structured::mul(structured::rsub(self, 1), self), 1e-12);
  Tensor slope = structured::div(structured::sub(self, target), denominator);
  if (weight.has_value() && weight->defined()) slope = structured::mul(slope, *weight);
  return structured::mul(of_elements(grad, reduction, self.numel()), slope);
}

[[structured::backward("binary_cross_entropy", "target")]]
Tensor binary_cross_entropy_target(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& weight,
                                   int64_t reduction) {
  const Tensor of_one = structured::clamp_min(structured::log(self), -100);
  const Tensor of_zero = structured::clamp_min(structured::log1p(structured::neg(self)), -100);
  Tensor slope = structured::sub(of_zero, of_one);
  if (weight.has_value() && weight->defined()) slope = structured::mul(slope, *weight);
  return structured::mul(of_elements(grad, reduction, self.numel()), slope);
}

/// The difference `sigmoid(self) - target` would cancel for confident correct predictions.
[[structured::backward("binary_cross_entropy_with_logits", "self")]]
Tensor binary_cross_entropy_with_logits_self(const Tensor& grad, const Tensor& self, const Tensor& target,
                                             const std::optional<Tensor>& weight,
                                             const std::optional<Tensor>& pos_weight, int64_t reduction) {
  const bool has_factor = pos_weight.has_value() && pos_weight->defined();
  const Tensor positive = has_factor ? structured::mul(*pos_weight, target) : target;
  Tensor slope = structured::sub(structured::mul(structured::rsub(target, 1), structured::sigmoid(self)),
                                 structured::mul(positive, structured::sigmoid(structured::neg(self))));
  if (weight.has_value() && weight->defined()) slope = structured::mul(slope, *weight);
  return summed_to(structured::mul(of_elements(grad, reduction, slope.numel()), slope), self.sizes());
}

[[structured::backward("binary_cross_entropy_with_logits", "target")]]
Tensor binary_cross_entropy_with_logits_target(const Tensor& grad, const Tensor& self, IntArrayRef target_sizes,
                                               const std::optional<Tensor>& weight,
                                               const std::optional<Tensor>& pos_weight, int64_t reduction) {
  const auto log_sigmoid = [](const Tensor& x) { return std::get<0>(structured::log_sigmoid_forward(x)); };
  const Tensor of_zero = log_sigmoid(structured::neg(self));
  Tensor of_one = log_sigmoid(self);
  if (pos_weight.has_value() && pos_weight->defined()) of_one = structured::mul(of_one, *pos_weight);
  Tensor slope = structured::sub(of_zero, of_one);
  if (weight.has_value() && weight->defined()) slope = structured::mul(slope, *weight);
  return summed_to(structured::mul(of_elements(grad, reduction, slope.numel()), slope), target_sizes);
}

/// Gradient of negative log likelihoods for log-probabilities whose classes are in dimension `dim`.
Tensor nll(const Tensor& grad_output, IntArrayRef self_sizes, const Tensor& target, const std::optional<Tensor>& weight,
           int64_t reduction, int64_t ignore_index, const Tensor& total_weight, int64_t dim) {
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
  return structured::scatter(structured::zeros(self_sizes, grad_output.options()), dim,
                             structured::unsqueeze(classes, dim), structured::unsqueeze(row_gradient, dim));
}

[[structured::backward("nll_loss_forward", "self")]]
Tensor nll_loss(const Tensor& grad_output, IntArrayRef self_sizes, const Tensor& target,
                const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                const Tensor& total_weight) {
  return nll(grad_output, self_sizes, target, weight, reduction, ignore_index, total_weight, -1);
}

[[structured::backward("nll_loss2d_forward", "self")]]
Tensor nll_loss2d(const Tensor& grad_output, IntArrayRef self_sizes, const Tensor& target,
                  const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index,
                  const Tensor& total_weight) {
  return nll(grad_output, self_sizes, target, weight, reduction, ignore_index, total_weight, 1);
}

/// Gradient of the sums over pairs of a target class and another class whose margins are violated.
[[structured::backward("multi_margin_loss", "self")]]
Tensor multi_margin_loss(const Tensor& grad, const Tensor& self, const Tensor& target, const Scalar& p,
                         const Scalar& margin, const std::optional<Tensor>& weight, int64_t reduction) {
  const Tensor rows = self.dim() == 2 ? self : structured::reshape(self, {1, -1});
  const Tensor classes = structured::reshape(target, {-1, 1});
  const Tensor excess = structured::add(structured::sub(rows, structured::gather(rows, 1, classes)), margin);
  Tensor slope = p == Scalar(1) ? structured::_to_copy(structured::gt(excess, 0), rows.scalar_type())
                                : structured::mul(structured::clamp_min(excess, 0), 2);
  if (weight.has_value() && weight->defined()) {
    slope = structured::mul(
        slope, structured::unsqueeze(structured::index_select(*weight, 0, structured::reshape(classes, -1)), 1));
  }
  slope = structured::scatter(slope, 1, classes, 0);
  slope = structured::scatter_add(slope, 1, classes, structured::neg(structured::sum(slope, 1, true)));
  const double share = 1.0 / static_cast<double>(rows.size(1));
  const Tensor of_rows = of_elements(grad, reduction, rows.size(0));
  const Tensor column = reduction == Reduction::None ? structured::reshape(of_rows, {-1, 1}) : of_rows;
  return structured::reshape(structured::mul(column, structured::mul(slope, share)), self.sizes());
}

/// Gradient of the sums over pairs of a target class and another class with a margin below 1.
[[structured::backward("multilabel_margin_loss_forward", "self")]]
Tensor multilabel_margin_loss(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction,
                              const Tensor& is_target) {
  if (!grad_output.defined()) return Tensor();
  const DimVector flat{-1, 1, self.dim() == 0 ? 1 : self.size(-1)};
  const Tensor rows = structured::reshape(self, flat);
  const Tensor flags = structured::reshape(is_target.detach(), flat);
  const Tensor targets = structured::reshape(target, flat);
  // The list ends at the first -1.
  const Tensor is_listed = structured::eq(structured::cumsum(structured::lt(targets, 0), 2), 0);
  const Tensor listed = structured::where(is_listed, targets, 0);
  const Tensor chosen = structured::transpose(structured::gather(rows, 2, listed), 1, 2);
  const Tensor excess = structured::add(structured::sub(rows, chosen), 1);
  const Tensor is_pair = structured::logical_and(structured::transpose(is_listed, 1, 2), structured::eq(flags, 0));
  const Tensor pairs =
      structured::_to_copy(structured::logical_and(is_pair, structured::gt(excess, 0)), self.scalar_type());
  const Tensor of_others = structured::sum(pairs, 1, true);
  const Tensor of_targets = structured::transpose(structured::sum(pairs, 2, true), 1, 2);
  const Tensor slope = structured::scatter_add(of_others, 2, listed, structured::neg(of_targets));
  const Tensor of_rows = of_elements(grad_output, reduction, rows.size(0));
  const Tensor column = reduction == Reduction::None ? structured::reshape(of_rows, {-1, 1, 1}) : of_rows;
  const double share = 1.0 / static_cast<double>(rows.size(2));
  return structured::reshape(structured::mul(column, structured::mul(slope, share)), self.sizes());
}

[[structured::backward("_ctc_loss", "log_probs")]]
Tensor ctc_loss(const Tensor& grad_out0, const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                IntArrayRef target_lengths, const Tensor& out0, const Tensor& out1, int64_t blank, bool zero_infinity) {
  if (!grad_out0.defined()) return Tensor();
  return structured::_ctc_loss_backward(grad_out0, log_probs, targets, input_lengths, target_lengths, out0, out1, blank,
                                        zero_infinity);
}

}  // namespace structured::derivatives
