// Losses that are made of others.
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

/// The mean, the sum, or all of the magnitudes of the differences of `self` and `target`, which are broadcast.
[[structured::composite("l1_loss")]]
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  STRUCTURED_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum,
                   "l1_loss: expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
  const Tensor distances = structured::abs(structured::sub(self, target));
  if (reduction == Reduction::None) return distances;
  return reduction == Reduction::Mean ? structured::mean(distances) : structured::sum(distances);
}

/// The first result of nll_loss_forward.
[[structured::composite("nll_loss")]]
Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss_forward(self, target, weight, reduction, ignore_index));
}

/// The first result of nll_loss2d_forward.
[[structured::composite("nll_loss2d")]]
Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight = {},
                  int64_t reduction = Reduction::Mean, int64_t ignore_index = -100) {
  return std::get<0>(structured::nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

/// The first result of multilabel_margin_loss_forward.
[[structured::composite("multilabel_margin_loss")]]
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean) {
  return std::get<0>(structured::multilabel_margin_loss_forward(self, target, reduction));
}

}  // namespace structured::kernels
