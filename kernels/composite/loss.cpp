// Composite kernels for losses.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/factory.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/ops/abs.h>
#include <structured/ops/mean.h>
#include <structured/ops/multilabel_margin_loss_forward.h>
#include <structured/ops/nll_loss2d_forward.h>
#include <structured/ops/nll_loss_forward.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>

#include <optional>
#include <tuple>

namespace structured::kernels {

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
[[structured::composite("nll_loss")]]
Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss_forward(self, target, weight, reduction, ignore_index));
}

/// Negative log-likelihood loss for each pixel of log-probabilities `self` [N, C, H, W] with classes `target` [N, H,
/// W]. `reduction` is 0 (none), 1 (weighted mean) or 2 (sum); pixels whose target is `ignore_index` contribute 0. See
/// `nll_loss2d_forward`. Floating-point dtypes only.
[[structured::composite("nll_loss2d")]]
Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

/// Multi-label margin loss of `self` [N, C] or [C]: `sum over targets y and other classes i of max(0, 1 - x[y] + x[i])
/// / C`. A row of `target` (Long) lists the target classes and ends at -1. `reduction` is 0 (none), 1 (mean) or 2
/// (sum). Floating-point dtypes only.
[[structured::composite("multilabel_margin_loss")]]
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return std::get<0>(structured::multilabel_margin_loss_forward(self, target, reduction));
}

}  // namespace structured::kernels
