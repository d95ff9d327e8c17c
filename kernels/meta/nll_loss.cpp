// Meta functions of losses with class indices as targets.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar.h>

#include <optional>

namespace structured::kernels {
namespace {

void check_reduction(const char* name, int64_t reduction) {
  STRUCTURED_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum, name,
                   ": expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
}

void check_loss(const char* name, const Tensor& self, int64_t reduction, ScalarTypeSet types = kAllFloatingTypes) {
  check_reduction(name, reduction);
  STRUCTURED_CHECK(types.contains(self.scalar_type()), name, ": expected `self` of dtype ", types, ", got ",
                   self.scalar_type());
}

void check_weight(const char* name, const std::optional<Tensor>& weight, const Tensor& self, int64_t classes) {
  if (!weight || !weight->defined()) return;
  STRUCTURED_CHECK(weight->dim() == 1 && weight->numel() == classes, name,
                   ": expected `weight` to have one element for ", "each of ", classes, " classes, got sizes ",
                   weight->sizes());
  STRUCTURED_CHECK(weight->scalar_type() == self.scalar_type(), name, ": expected `weight` of dtype ",
                   self.scalar_type(), ", got ", weight->scalar_type());
}

}  // namespace

/// Negative log-likelihood loss: `-weight[y] * x[y]` for each row x of `self` [N, C] or [C] with class y of `target`
/// [N] or []. Returns the loss and the total weight.
///
/// `reduction` is 0 (none, [N]), 1 (weighted mean) or 2 (sum). Rows whose target is `ignore_index` contribute 0.
/// `total_weight` is the sum of the weights of the targets, or 0 if a batch is not reduced. `target` is Long or Byte; a
/// target outside [0, C) is an error. `weight` [C] has the dtype of `self`, which is floating-point.
[[structured::meta("nll_loss_forward", "nll_loss_forward.output"),
  structured::returns("nll_loss_forward", "output", "total_weight")]]
void nll_loss_forward_meta(MetaBase& op, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                           int64_t reduction, int64_t ignore_index) {
  constexpr const char* name = "nll_loss_forward";
  STRUCTURED_CHECK(self.dim() == 1 || self.dim() == 2, name,
                   ": expected `self` to be [classes] or [batch, classes], got ", "sizes ", self.sizes());
  check_loss(name, self, reduction);
  STRUCTURED_CHECK(target.scalar_type() == kLong || target.scalar_type() == kByte, name,
                   ": expected `target` of dtype Long or Byte, got ", target.scalar_type());
  const bool has_batch = self.dim() == 2;
  STRUCTURED_CHECK(
      target.dim() <= 1 && (has_batch ? target.dim() == 1 && target.size(0) == self.size(0) : target.numel() == 1),
      name, ": expected one element of `target` for each of the batch of `self`, got sizes ", target.sizes(), " for ",
      self.sizes());
  check_weight(name, weight, self, self.size(-1));
  const DimVector sizes = reduction == Reduction::None && has_batch ? DimVector{self.size(0)} : DimVector();
  op.set_output_raw_strided(0, sizes, {}, self.options());
  op.set_output_raw_strided(1, {}, {}, self.options());
}

/// Negative log-likelihood loss for each pixel of `self` [N, C, H, W] with classes `target` [N, H, W]. Returns the loss
/// and the total weight.
///
/// The loss of a pixel is `-weight[y] * self[n, y, h, w]` with `y = target[n, h, w]`. `reduction` is 0 (none, [N, H,
/// W]), 1 (weighted mean) or 2 (sum). Pixels whose target is `ignore_index` contribute 0. `total_weight` is the sum of
/// the weights of the targets, or 0 without reduction. `target` is Long; a target outside [0, C) is an error. `weight`
/// [C] has the dtype of `self`, which is floating-point.
[[structured::meta("nll_loss2d_forward", "nll_loss2d_forward.output"),
  structured::returns("nll_loss2d_forward", "output", "total_weight")]]
void nll_loss2d_forward_meta(MetaBase& op, const Tensor& self, const Tensor& target,
                             const std::optional<Tensor>& weight, int64_t reduction, int64_t ignore_index) {
  constexpr const char* name = "nll_loss2d_forward";
  STRUCTURED_CHECK(self.dim() == 4, name, ": expected `self` to be [batch, classes, height, width], got sizes ",
                   self.sizes());
  check_loss(name, self, reduction);
  STRUCTURED_CHECK(target.scalar_type() == kLong, name, ": expected `target` of dtype Long, got ",
                   target.scalar_type());
  const DimVector positions{self.size(0), self.size(2), self.size(3)};
  STRUCTURED_CHECK(target.sizes() == positions, name, ": expected `target` of sizes ", positions, ", got ",
                   target.sizes());
  check_weight(name, weight, self, self.size(1));
  op.set_output_raw_strided(0, reduction == Reduction::None ? positions : DimVector(), {}, self.options());
  op.set_output_raw_strided(1, {}, {}, self.options());
}

/// Multi-class margin loss: `weight[y] * sum over i != y of max(0, margin - x[y] + x[i]) ** p / C` for each row x of
/// `self` [N, C] or [C] with class y of `target` [N] or [].
///
/// `p` is 1 or 2. `reduction` is 0 (none), 1 (mean) or 2 (sum). `target` is Long; a target outside [0, C) is an error.
/// `weight` [C] has the dtype of `self`, which is Float or Double.
[[structured::meta("multi_margin_loss", "multi_margin_loss.out")]]
void multi_margin_loss_meta(MetaBase& op, const Tensor& self, const Tensor& target, const Scalar& p = 1,
                            const Scalar& margin = 1, const std::optional<Tensor>& weight = {},
                            int64_t reduction = Reduction::Mean) {
  constexpr const char* name = "multi_margin_loss";
  STRUCTURED_CHECK(p == Scalar(1) || p == Scalar(2), name, ": expected `p` to be 1 or 2, got ", p);
  check_loss(name, self, reduction, kFloatingTypes);
  STRUCTURED_CHECK(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) != 0), name,
                   ": expected `self` to be [classes] or [batch, classes] with classes, got sizes ", self.sizes());
  const int64_t batch = self.dim() == 2 ? self.size(0) : 1;
  STRUCTURED_CHECK(target.scalar_type() == kLong && target.dim() <= 1 && target.numel() == batch, name,
                   ": expected `target` of dtype Long with one element for each of the batch of `self`, got ",
                   target.scalar_type(), " of sizes ", target.sizes());
  check_weight(name, weight, self, self.dim() == 0 ? 1 : self.size(-1));
  const bool has_sizes = reduction == Reduction::None && target.dim() > 0;
  op.set_output_raw_strided(0, has_sizes ? DimVector{batch} : DimVector(), {}, self.options());
}

/// Multi-label margin loss: `sum over targets y and other classes i of max(0, 1 - x[y] + x[i]) / C` for each row x of
/// `self` [N, C] or [C]. Returns the loss and a mask of the target classes, `is_target`.
///
/// A row of `target`, Long and with the shape of `self`, lists the target classes; -1 ends the list. `reduction` is 0
/// (none), 1 (mean) or 2 (sum). A target outside [-1, C) is an error. Float and Double only.
[[structured::meta("multilabel_margin_loss_forward", "multilabel_margin_loss_forward.output"),
  structured::returns("multilabel_margin_loss_forward", "output", "is_target")]]
void multilabel_margin_loss_forward_meta(MetaBase& op, const Tensor& self, const Tensor& target, int64_t reduction) {
  constexpr const char* name = "multilabel_margin_loss_forward";
  check_loss(name, self, reduction, kFloatingTypes);
  STRUCTURED_CHECK(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) != 0), name,
                   ": expected `self` to be [classes] or [batch, classes] with classes, got sizes ", self.sizes());
  STRUCTURED_CHECK(target.scalar_type() == kLong && target.sizes() == self.sizes(), name,
                   ": expected `target` of dtype Long and the sizes of `self`, got ", target.scalar_type(),
                   " of sizes ", target.sizes());
  const bool has_sizes = reduction == Reduction::None && self.dim() == 2;
  op.set_output_raw_strided(0, has_sizes ? DimVector{self.size(0)} : DimVector(), {}, self.options());
  op.set_output_raw_strided(1, self.sizes(), {}, self.options());
}

}  // namespace structured::kernels
