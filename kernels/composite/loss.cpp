// Composite kernels for losses.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/ops/_ctc_loss.h>
#include <structured/ops/abs.h>
#include <structured/ops/ctc_loss.h>
#include <structured/ops/div.h>
#include <structured/ops/isinf.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mean.h>
#include <structured/ops/multilabel_margin_loss_forward.h>
#include <structured/ops/nll_loss2d_forward.h>
#include <structured/ops/nll_loss_forward.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/to.h>
#include <structured/ops/unsqueeze.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace structured::kernels {
namespace {

std::vector<int64_t> lengths_in(const char* argument, const Tensor& lengths) {
  STRUCTURED_CHECK(lengths.scalar_type() == kLong || lengths.scalar_type() == kInt, "ctc_loss: expected `", argument,
                   "` of dtype Long or Int, got ", lengths.scalar_type());
  return to_vector<int64_t>(structured::to(lengths, kCPU, kLong));
}

}  // namespace

/// Negative log-likelihoods [N] of the labels `targets` given the log-probabilities `log_probs` [T, N, C], and
/// intermediate sums, with lengths in tensors (Long or Int). Other arguments are those of `_ctc_loss`.
[[structured::composite("_ctc_loss.Tensor"), structured::variants("_ctc_loss.Tensor_out")]]
std::tuple<Tensor, Tensor> ctc_loss_of_tensors(const Tensor& log_probs, const Tensor& targets,
                                               const Tensor& input_lengths, const Tensor& target_lengths,
                                               int64_t blank = 0, bool zero_infinity = false) {
  return structured::_ctc_loss(log_probs, targets, lengths_in("input_lengths", input_lengths),
                               lengths_in("target_lengths", target_lengths), blank, zero_infinity);
}

/// Connectionist temporal classification loss: the negative log-likelihood of the labels `targets` given the
/// log-probabilities `log_probs` [T, N, C] or [T, C], summed over all alignments.
///
/// `targets` (Long or Int) is [N, S], [S] or [sum of the lengths]. Sample i has `input_lengths[i]` steps and
/// `target_lengths[i]` labels; `blank` is the class between labels. `reduction` is 0 (none), 1 (mean of the losses,
/// each divided by the number of labels) or 2 (sum). With `zero_infinity`, infinite losses count as 0. Float and Double
/// only.
[[structured::composite("ctc_loss.IntList")]]
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean, bool zero_infinity = false) {
  STRUCTURED_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum,
                   "ctc_loss: expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
  const bool has_batch = log_probs.dim() == 3;
  const Tensor rows = has_batch ? log_probs : structured::unsqueeze(log_probs, 1);
  const Tensor labels = has_batch ? targets : structured::unsqueeze(targets, 0);
  Tensor losses = std::get<0>(structured::_ctc_loss(rows, labels, input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity) losses = structured::masked_fill(losses, structured::isinf(losses), 0);
  if (reduction == Reduction::Sum) return structured::sum(losses);
  if (reduction == Reduction::None) return has_batch ? losses : structured::squeeze(losses, 0);
  std::vector<double> counts;
  for (const int64_t length : target_lengths) counts.push_back(static_cast<double>(std::max<int64_t>(length, 1)));
  return structured::mean(
      structured::div(losses, structured::to(tensor<double>(counts), losses.device(), losses.scalar_type())));
}

/// Connectionist temporal classification loss: the negative log-likelihood of the labels `targets` given the
/// log-probabilities `log_probs` [T, N, C] or [T, C], with lengths in tensors (Long or Int) [N] or []. Other arguments
/// are those of `ctc_loss.IntList`.
[[structured::composite("ctc_loss.Tensor")]]
Tensor ctc_loss_with_tensors(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                             const Tensor& target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
                             bool zero_infinity = false) {
  return structured::ctc_loss(log_probs, targets, lengths_in("input_lengths", input_lengths),
                              lengths_in("target_lengths", target_lengths), blank, reduction, zero_infinity);
}

/// Absolute error `|self - target|`. `reduction` is 0 (none), 1 (mean) or 2 (sum). Inputs are broadcast and promoted to
/// a common dtype, which must be floating-point for the mean.
[[structured::composite("l1_loss")]]
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  STRUCTURED_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum,
                   "l1_loss: expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
  const Tensor distances = structured::abs(structured::sub(self, target));
  if (reduction == Reduction::None) return distances;
  return reduction == Reduction::Mean ? structured::mean(distances) : structured::sum(distances);
}

/// Negative log-likelihood loss of log-probabilities `self` [N, C] or [C] for classes `target` [N] or []: `-weight[y] *
/// x[y]`. `reduction` is 0 (none), 1 (weighted mean) or 2 (sum); rows whose target is `ignore_index` contribute 0. See
/// `nll_loss_forward`. Floating-point dtypes only.
[[structured::composite("nll_loss"), structured::variants("nll_loss.out")]]
Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss_forward(self, target, weight, reduction, ignore_index));
}

/// Negative log-likelihood loss for each pixel of log-probabilities `self` [N, C, H, W] with classes `target` [N, H,
/// W]. `reduction` is 0 (none), 1 (weighted mean) or 2 (sum); pixels whose target is `ignore_index` contribute 0. See
/// `nll_loss2d_forward`. Floating-point dtypes only.
[[structured::composite("nll_loss2d"), structured::variants("nll_loss2d.out")]]
Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

/// Multi-label margin loss of `self` [N, C] or [C]: `sum over targets y and other classes i of max(0, 1 - x[y] + x[i])
/// / C`. A row of `target` (Long) lists the target classes and ends at -1. `reduction` is 0 (none), 1 (mean) or 2
/// (sum). Floating-point dtypes only.
[[structured::composite("multilabel_margin_loss"), structured::variants("multilabel_margin_loss.out")]]
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return std::get<0>(structured::multilabel_margin_loss_forward(self, target, reduction));
}

}  // namespace structured::kernels
