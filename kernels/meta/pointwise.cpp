// Meta functions of elementwise operators whose shape or dtype rules depend on argument values, such as a rounding mode
// or an exponent.
#include <structured/base/error.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/tensor_iterator.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/ne.h>

#include <optional>
#include <string_view>

#include "meta/number_range.h"

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kPowerTypes = kRealTypes | kAllComplexTypes;

// `sub` and `rsub` reject Bool operands.
STRUCTURED_ALWAYS_INLINE void check_difference(const char* name, const TensorIteratorBase& op, bool is_of_bool,
                                               const Scalar& alpha) {
  STRUCTURED_CHECK(!is_of_bool, name, ": Bool operands are not supported; use bitwise_xor or logical_xor");
  check_scalar(name, "alpha", op.common_dtype(), alpha);
}

// Checks the dtype of elements and the bounds of `clamp`, `clamp_min` and `clamp_max`.
void check_clamp(const char* name, const TensorIteratorBase& op, const Scalar* min, const Scalar* max) {
  check_dtype(name, op.common_dtype(), kRealTypes);
  if (min != nullptr) check_bound(name, /*is_min=*/true, *min, op.common_dtype());
  if (max != nullptr) check_bound(name, /*is_min=*/false, *max, op.common_dtype());
}

// Checks that `out` of a function that is not an elementwise one in PyTorch has the dtype of the result.
void check_out_dtype(const char* name, TensorIteratorBase& op) {
  const Tensor& out = op.maybe_get_output();
  STRUCTURED_CHECK(!out.defined() || out.scalar_type() == op.common_dtype(), name, ": expected `out` of dtype ",
                   op.common_dtype(), ", got ", out.scalar_type());
}

// Returns whether `rounding_mode` selects true division.
bool is_true_division(const std::optional<std::string_view>& rounding_mode) {
  STRUCTURED_CHECK(!rounding_mode || *rounding_mode == "trunc" || *rounding_mode == "floor",
                   "div: expected `rounding_mode` to be None, \"trunc\" or \"floor\", got \"",
                   rounding_mode.value_or(""), "\"");
  return !rounding_mode;
}

}  // namespace

/// Elementwise difference: `self - alpha * other`. Inputs are broadcast and promoted to a common dtype. Bool operands
/// are an error.
[[structured::meta("sub.Tensor", "sub_.Tensor", "sub.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void sub_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_difference("sub", op, self.scalar_type() == kBool || other.scalar_type() == kBool, alpha);
}

/// Elementwise difference with a scalar: `self - alpha * other`. `other` changes the result dtype only if its category
/// (integer, floating-point, complex) is higher than that of `self`. Bool operands are an error.
[[structured::meta("sub.Scalar", "sub_.Scalar", "sub.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void sub_scalar_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_difference("sub", op, self.scalar_type() == kBool || other.is_boolean(), alpha);
}

/// Elementwise reversed difference: `other - alpha * self`. Inputs are broadcast and promoted to a common dtype. Bool
/// operands are an error.
[[structured::meta("rsub.Tensor", "rsub.Tensor_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void rsub_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
               [[structured::kwonly]] const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), other, self);  // result strides are those of `other - self`
  check_out_dtype("rsub", op);
  check_difference("rsub", op, self.scalar_type() == kBool || other.scalar_type() == kBool, alpha);
}

/// Elementwise reversed difference from a scalar: `other - alpha * self`. `other` changes the result dtype only if its
/// category (integer, floating-point, complex) is higher than that of `self`. Bool operands are an error.
[[structured::meta("rsub.Scalar", "rsub.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void rsub_scalar_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_out_dtype("rsub", op);
  check_difference("rsub", op, self.scalar_type() == kBool || other.is_boolean(), alpha);
}

/// Replaces NaN by `nan` (default 0), positive infinity by `posinf` and negative infinity by `neginf`. The default
/// replacements for infinities are the largest and the lowest finite number of the dtype. The parts of complex numbers
/// are replaced separately.
[[structured::meta("nan_to_num", "nan_to_num_", "nan_to_num.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void nan_to_num_meta(TensorIteratorBase& op, const Tensor& self,
                     [[maybe_unused]] std::optional<double> nan = std::nullopt,
                     [[maybe_unused]] std::optional<double> posinf = std::nullopt,
                     [[maybe_unused]] std::optional<double> neginf = std::nullopt) {
  op.build_unary_op(op.maybe_get_output(), self);
}

/// Clamps each element to [`min`, `max`] with scalar bounds; one bound may be omitted. Returns `max` where `min > max`.
/// NaN is propagated. A bound that the promoted dtype does not hold is an error, unless it is one of integers that
/// every element meets. Complex inputs are not supported.
[[structured::meta("clamp", "clamp_", "clamp.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void clamp_meta(TensorIteratorBase& op, const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                const std::optional<Scalar>& max = std::nullopt) {
  STRUCTURED_CHECK(min || max, "clamp: expected `min` or `max`, got neither");
  const Scalar* const bounds[] = {min ? &*min : nullptr, max ? &*max : nullptr};
  op.build_elementwise_op(op.maybe_get_output(), {self}, {bounds[0], bounds[1]}, /*is_boolean=*/false,
                          /*is_floating=*/false);
  check_clamp("clamp", op, bounds[0], bounds[1]);
}

/// Elementwise `max(self, min)` with a scalar bound. NaN is propagated. A bound that the promoted dtype does not hold
/// is an error, unless it is less than every integer of the dtype. Complex inputs are not supported.
[[structured::meta("clamp_min", "clamp_min_", "clamp_min.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void clamp_min_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& min) {
  op.build_binary_op(op.maybe_get_output(), self, min);
  check_clamp("clamp_min", op, &min, nullptr);
}

/// Elementwise `min(self, max)` with a scalar bound. NaN is propagated. A bound that the promoted dtype does not hold
/// is an error, unless it is greater than every integer of the dtype. Complex inputs are not supported.
[[structured::meta("clamp_max", "clamp_max_", "clamp_max.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void clamp_max_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& max) {
  op.build_binary_op(op.maybe_get_output(), self, max);
  check_clamp("clamp_max", op, nullptr, &max);
}

/// `self` clamped to [`min_val`, `max_val`], in the dtype of `self`: bounds of integers are truncated. NaN, also as a
/// bound, is propagated. A bound that the dtype does not hold is an error, unless it is one of integers that every
/// element meets. Bool and complex inputs are not supported.
[[structured::meta("hardtanh", "hardtanh_", "hardtanh.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void hardtanh_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1) {
  op.build_elementwise_op(op.maybe_get_output(), {self}, {}, /*is_boolean=*/false, /*is_floating=*/false);
  const bool is_of_integers = is_integral(self.scalar_type(), true);
  const Scalar min = is_of_integers ? Scalar(min_val.to<int64_t>()) : min_val;
  const Scalar max = is_of_integers ? Scalar(max_val.to<int64_t>()) : max_val;
  check_clamp("hardtanh", op, &min, &max);
}

/// Selects `self` where `condition` is true and `other` elsewhere. All three are broadcast; `self` and `other` are
/// promoted to a common dtype. `condition` must be Bool, or Byte, which is true where it is not 0.
[[structured::meta("where.self", "where.self_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void where_meta(TensorIteratorBase& op, const Tensor& condition, const Tensor& self, const Tensor& other) {
  if (condition.defined() && condition.scalar_type() == kByte) {
    TensorIteratorConfig config;
    config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
    config.allow_cpu_scalars(true).add_output(op.maybe_get_output());
    config.add_input(structured::ne(condition, 0)).add_input(self).add_input(other);
    return op.build(config);
  }
  check_boolean("where", "condition", condition);
  op.build_elementwise_op(op.maybe_get_output(), {condition, self, other}, {}, /*is_boolean=*/false,
                          /*is_floating=*/false);
}

/// Clamps each element to [`min`, `max`] with tensor bounds, which are broadcast with `self`; one bound may be omitted.
/// Returns `max` where `min > max`. NaN is propagated. Complex inputs are not supported.
[[structured::meta("clamp.Tensor", "clamp_.Tensor", "clamp.Tensor_out"), structured::no_cpp_default,
  structured::device_check(false), structured::tags("core", "pointwise")]]
void clamp_tensor_meta(TensorIteratorBase& op, const Tensor& self, const std::optional<Tensor>& min = std::nullopt,
                       const std::optional<Tensor>& max = std::nullopt) {
  STRUCTURED_CHECK(min || max, "clamp: expected `min` or `max`, got neither");
  if (min && max) {
    op.build_ternary_op(op.maybe_get_output(), self, *min, *max);
    check_dtype("clamp", op.common_dtype(), kRealTypes);
    return;
  }
  op.build_binary_op(op.maybe_get_output(), self, min ? *min : *max);
  check_dtype("clamp", op.common_dtype(), kRealTypes | kBool);
}

/// Elementwise quotient with a rounding mode: true division for `rounding_mode` None, towards 0 for "trunc", down for
/// "floor". Inputs are broadcast and promoted to a common dtype. Rounded division keeps integer dtypes and accepts
/// neither Bool nor complex inputs.
[[structured::meta("div.Tensor_mode", "div_.Tensor_mode", "div.out_mode"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void div_mode_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
                   [[structured::kwonly]] std::optional<std::string_view> rounding_mode) {
  if (is_true_division(rounding_mode)) {
    op.build_binary_float_op(op.maybe_get_output(), self, other);
  } else {
    op.build_binary_op(op.maybe_get_output(), self, other);
    check_dtype("div", op.common_dtype(), kRealTypes);
  }
}

/// Elementwise quotient by a scalar with a rounding mode: true division for `rounding_mode` None, towards 0 for
/// "trunc", down for "floor". Rounded division keeps integer dtypes and accepts neither Bool nor complex inputs.
[[structured::meta("div.Scalar_mode", "div_.Scalar_mode", "div.Scalar_mode_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void div_scalar_mode_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other,
                          [[structured::kwonly]] std::optional<std::string_view> rounding_mode) {
  const bool is_true = is_true_division(rounding_mode);
  op.build_elementwise_op(op.maybe_get_output(), {self}, {&other}, /*is_boolean=*/false, /*is_floating=*/is_true);
  if (!is_true) check_dtype("div", op.common_dtype(), kRealTypes);
}

/// Elementwise power: `self ** exponent`. Inputs are broadcast and promoted to a common dtype. Bool is not supported.
[[structured::meta("pow.Tensor_Tensor", "pow_.Tensor", "pow.Tensor_Tensor_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& exponent) {
  op.build_binary_op(op.maybe_get_output(), self, exponent);
  check_dtype("pow", op.common_dtype(), kPowerTypes);
}

/// Elementwise power with a scalar exponent: `self ** exponent`. Bool is supported for boolean exponents. A negative
/// integer exponent for an integer `self` is an error, as is an exponent that a promoted dtype of integers, Half or
/// BFloat16 does not hold.
[[structured::meta("pow.Tensor_Scalar", "pow_.Scalar", "pow.Tensor_Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_scalar_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& exponent) {
  STRUCTURED_CHECK(
      !exponent.is_integral(true) || !structured::is_integral(self.scalar_type(), true) || exponent.to<int64_t>() >= 0,
      "pow: integers cannot be raised to a negative power, got ", exponent);
  op.build_binary_op(op.maybe_get_output(), self, exponent);
  check_dtype("pow", op.common_dtype(), kPowerTypes | kBool);
  if ((kIntegralTypes | kHalf | kBFloat16).contains(op.common_dtype())) {
    check_range("pow", "exponent", exponent, op.common_dtype());
  }
}

/// Elementwise power of a scalar base: `self ** exponent`. The promoted dtype must not be Bool.
[[structured::meta("pow.Scalar", "pow.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_scalar_self_meta(TensorIteratorBase& op, const Scalar& self, const Tensor& exponent) {
  op.build_binary_op(op.maybe_get_output(), exponent, self);
  check_dtype("pow", op.common_dtype(), kPowerTypes);
}

/// Heaviside step function: 0 where `self < 0`, 1 where `self > 0`, `values` where `self` is 0. Inputs are broadcast
/// and must have one dtype. Complex inputs are not supported.
[[structured::meta("heaviside", "heaviside_", "heaviside.out"), structured::device_check(false),
  structured::tags("pointwise")]]
void heaviside_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& values) {
  STRUCTURED_CHECK(self.scalar_type() == values.scalar_type(), "heaviside: expected `values` of dtype ",
                   self.scalar_type(), ", as `self` has, got ", values.scalar_type());
  op.build_binary_op(op.maybe_get_output(), self, values);
  check_dtype("heaviside", op.common_dtype(), kRealTypes | kBool);
}

/// Gaussian error linear unit: `self * Phi(self)` with the cumulative distribution function `Phi` of the standard
/// normal distribution. `approximate` is "none" or "tanh", which selects `0.5 * self * (1 + tanh(sqrt(2 / pi) * (self +
/// 0.044715 * self ** 3)))`. Floating-point dtypes only.
[[structured::meta("gelu", "gelu_", "gelu.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void gelu_meta(TensorIteratorBase& op, const Tensor& self,
               [[structured::kwonly]] std::string_view approximate = "none") {
  STRUCTURED_CHECK(approximate == "none" || approximate == "tanh",
                   "gelu: expected `approximate` to be \"none\" or \"tanh\", got \"", approximate, "\"");
  op.build_unary_op(op.maybe_get_output(), self);
  check_dtype("gelu", op.common_dtype(), kAllFloatingTypes);
}

/// Soft shrinkage: `self - lambd` where `self > lambd`, `self + lambd` where `self < -lambd`, 0 elsewhere. `lambd` must
/// not be negative. Floating-point dtypes only.
[[structured::meta("softshrink", "softshrink.out"), structured::device_check(false), structured::tags("pointwise")]]
void softshrink_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& lambd = 0.5) {
  STRUCTURED_CHECK(lambd.to<double>() >= 0, "softshrink: expected `lambd` to be at least 0, got ", lambd);
  op.build_unary_op(op.maybe_get_output(), self);
  check_dtype("softshrink", op.common_dtype(), kAllFloatingTypes);
}

}  // namespace structured::kernels
