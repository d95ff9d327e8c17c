// Meta functions of elementwise losses.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/reduction.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/shape.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/iterator/type_promotion.h>

#include <optional>

namespace structured::kernels {
namespace {

const Tensor& get(const Tensor& tensor) { return tensor; }
const Tensor& get(const std::optional<Tensor>& tensor) {
  static const Tensor undefined;
  return tensor ? *tensor : undefined;
}

// Broadcasts the defined `inputs` and sets the output for `reduction`.
template <class... Inputs>
void set_loss(const char* name, TensorIteratorBase& op, int64_t reduction, const Inputs&... inputs) {
  STRUCTURED_CHECK(reduction >= Reduction::None && reduction <= Reduction::Sum, name,
                   ": expected `reduction` to be 0 (none), 1 (mean) or 2 (sum), got ", reduction);
  TypePromotion promotion;
  (promotion.add(get(inputs)), ...);
  const ScalarType dtype = promotion.result();
  check_dtype(name, dtype, kAllFloatingTypes);
  if (reduction == Reduction::None) {
    TensorIteratorConfig config;
    config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
    config.add_output(op.maybe_get_output());
    ((get(inputs).defined() ? static_cast<void>(config.add_input(get(inputs))) : static_cast<void>(0)), ...);
    op.build(config);
    return;
  }
  DimVector shape;
  ((get(inputs).defined() ? static_cast<void>(shape = broadcast_shape(shape, get(inputs).sizes()))
                          : static_cast<void>(0)),
   ...);
  const Tensor* const first[] = {&get(inputs)...};
  op.set_output_raw_strided(0, {}, {}, first[0]->options().dtype(dtype));
}

void check_same_sizes(const char* name, const Tensor& self, const Tensor& target) {
  STRUCTURED_CHECK(self.sizes() == target.sizes(), name, ": expected `target` of the sizes of `self`, ", self.sizes(),
                   ", got ", target.sizes());
}

}  // namespace

/// Squared error `(self - target) ** 2`. `reduction` is 0 (none), 1 (mean) or 2 (sum). Inputs are broadcast and
/// promoted to a common dtype, which must be floating-point.
[[structured::meta("mse_loss", "mse_loss.out"), structured::device_check(false)]]
void mse_loss_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                   int64_t reduction = Reduction::Mean) {
  set_loss("mse_loss", op, reduction, self, target);
}

/// Smooth L1 loss of d = self - target: `d ** 2 / (2 * beta)` where `|d| < beta`, `|d| - beta / 2` elsewhere.
/// `reduction` is 0 (none), 1 (mean) or 2 (sum). Inputs are broadcast and promoted to a common dtype, which must be
/// floating-point. `beta` must not be negative.
[[structured::meta("smooth_l1_loss", "smooth_l1_loss.out"), structured::device_check(false)]]
void smooth_l1_loss_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                         int64_t reduction = Reduction::Mean, double beta = 1.0) {
  STRUCTURED_CHECK(beta >= 0, "smooth_l1_loss: expected `beta` not to be negative, got ", beta);
  set_loss("smooth_l1_loss", op, reduction, self, target);
}

/// Huber loss of d = self - target: `d ** 2 / 2` where `|d| <= delta`, `delta * (|d| - delta / 2)` elsewhere.
/// `reduction` is 0 (none), 1 (mean) or 2 (sum). Inputs are broadcast and promoted to a common dtype, which must be
/// floating-point. `delta` must be positive.
[[structured::meta("huber_loss", "huber_loss.out")]]
void huber_loss_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                     int64_t reduction = Reduction::Mean, double delta = 1.0) {
  STRUCTURED_CHECK(delta > 0, "huber_loss: expected `delta` to be positive, got ", delta);
  set_loss("huber_loss", op, reduction, self, target);
}

/// Soft margin loss `log(1 + exp(-target * self))` for targets 1 and -1. `reduction` is 0 (none), 1 (mean) or 2 (sum).
/// Inputs are broadcast and promoted to a common dtype, which must be floating-point.
[[structured::meta("soft_margin_loss", "soft_margin_loss.out")]]
void soft_margin_loss_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                           int64_t reduction = Reduction::Mean) {
  set_loss("soft_margin_loss", op, reduction, self, target);
}

/// Binary cross entropy `-weight * (target * log(self) + (1 - target) * log(1 - self))`. `reduction` is 0 (none), 1
/// (mean) or 2 (sum).
///
/// Logarithms are clamped to at least -100. `target` has the shape of `self`, whose elements must be in [0, 1];
/// `weight` is broadcast. Floating-point dtypes only.
[[structured::meta("binary_cross_entropy", "binary_cross_entropy.out"), structured::device_check(false)]]
void binary_cross_entropy_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                               const std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  check_same_sizes("binary_cross_entropy", self, target);
  set_loss("binary_cross_entropy", op, reduction, self, target, weight);
}

/// Binary cross entropy of `sigmoid(self)`: `-weight * (pos_weight * target * log(s) + (1 - target) * log(1 - s))` with
/// `s = sigmoid(self)`. `reduction` is 0 (none), 1 (mean) or 2 (sum).
///
/// The sigmoid and the logarithm are evaluated together, which is accurate for large logits. `target`, `weight` and
/// `pos_weight` are broadcast with `self`. Floating-point dtypes only.
[[structured::meta("binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits.out"),
  structured::device_check(false)]]
void binary_cross_entropy_with_logits_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& target,
                                           const std::optional<Tensor>& weight = {},
                                           const std::optional<Tensor>& pos_weight = {},
                                           int64_t reduction = Reduction::Mean) {
  set_loss("binary_cross_entropy_with_logits", op, reduction, self, target, weight, pos_weight);
}

}  // namespace structured::kernels
