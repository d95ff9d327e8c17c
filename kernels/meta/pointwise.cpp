// Shapes and dtypes of elementwise operators whose rules depend on the values of arguments: which ones are given, a
// mode of rounding, an exponent.
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/scalar_type.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/tensor_iterator.h>

#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

constexpr ScalarTypeSet kPowerTypes = kRealTypes | kAllComplexTypes;

// Differences are none of Bool, whatever the other one is.
STRUCTURED_ALWAYS_INLINE void check_difference(const char* name, const TensorIteratorBase& op, bool is_of_bool,
                                               const Scalar& alpha) {
  STRUCTURED_CHECK(!is_of_bool, name, ": expected numbers, got Bool, for which there are bitwise_xor and logical_xor");
  check_scalar(name, "alpha", op.common_dtype(), alpha);
}

// Whether the result is what true division gives.
bool is_true_division(const std::optional<std::string_view>& rounding_mode) {
  STRUCTURED_CHECK(!rounding_mode || *rounding_mode == "trunc" || *rounding_mode == "floor",
                   "div: expected `rounding_mode` to be None, \"trunc\" or \"floor\", got \"",
                   rounding_mode.value_or(""), "\"");
  return !rounding_mode;
}

}  // namespace

/// `self - alpha * other`. Not for Bool tensors, whatever the other one is.
[[structured::meta("sub.Tensor", "sub_.Tensor", "sub.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void sub_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_difference("sub", op, self.scalar_type() == kBool || other.scalar_type() == kBool, alpha);
}

/// `self - alpha * other` for a number `other`, which changes the dtype of `self` only if it is of a higher category.
/// Neither may be Bool.
[[structured::meta("sub.Scalar", "sub_.Scalar", "sub.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void sub_number_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_difference("sub", op, self.scalar_type() == kBool || other.is_boolean(), alpha);
}

/// `other - alpha * self`. Not for Bool tensors, whatever the other one is.
[[structured::meta("rsub.Tensor", "rsub.Tensor_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void rsub_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
               [[structured::kwonly]] const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), other, self);  // the result is laid out as that of `other - self`
  check_difference("rsub", op, self.scalar_type() == kBool || other.scalar_type() == kBool, alpha);
}

/// `other - alpha * self` for a number `other`, which changes the dtype of `self` only if it is of a higher category.
/// Neither may be Bool.
[[structured::meta("rsub.Scalar", "rsub.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void rsub_number_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  op.build_binary_op(op.maybe_get_output(), self, other);
  check_difference("rsub", op, self.scalar_type() == kBool || other.is_boolean(), alpha);
}

/// Finite numbers in place of NaN and infinities; the greatest and the least of the dtype unless they are given.
[[structured::meta("nan_to_num", "nan_to_num_", "nan_to_num.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void nan_to_num_meta(TensorIteratorBase& op, const Tensor& self,
                     [[maybe_unused]] std::optional<double> nan = std::nullopt,
                     [[maybe_unused]] std::optional<double> posinf = std::nullopt,
                     [[maybe_unused]] std::optional<double> neginf = std::nullopt) {
  op.build_unary_op(op.maybe_get_output(), self);
  check_dtype("nan_to_num", op.common_dtype(), kRealTypes | kBool);
}

/// `self`, at least `min` and at most `max`, of which one may be left out; `max` where they cross. NaN stays NaN.
[[structured::meta("clamp", "clamp_", "clamp.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void clamp_meta(TensorIteratorBase& op, const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                const std::optional<Scalar>& max = std::nullopt) {
  STRUCTURED_CHECK(min || max, "clamp: expected `min` or `max`, got neither");
  op.build_elementwise_op(op.maybe_get_output(), {self}, {min ? &*min : nullptr, max ? &*max : nullptr},
                          /*is_boolean=*/false, /*is_floating=*/false);
  check_dtype("clamp", op.common_dtype(), kRealTypes);
}

/// The same with tensors, which are broadcast.
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

/// `self / other`, rounded towards 0 ("trunc") or down ("floor") if `rounding_mode` says so; integers then stay
/// integers.
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

/// The same with a number.
[[structured::meta("div.Scalar_mode", "div_.Scalar_mode", "div.Scalar_mode_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void div_number_mode_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& other,
                          [[structured::kwonly]] std::optional<std::string_view> rounding_mode) {
  const bool is_true = is_true_division(rounding_mode);
  op.build_elementwise_op(op.maybe_get_output(), {self}, {&other}, /*is_boolean=*/false, /*is_floating=*/is_true);
  if (!is_true) check_dtype("div", op.common_dtype(), kRealTypes);
}

/// `self` to the power of `exponent`. Not for Bool tensors.
[[structured::meta("pow.Tensor_Tensor", "pow_.Tensor", "pow.Tensor_Tensor_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& exponent) {
  op.build_binary_op(op.maybe_get_output(), self, exponent);
  check_dtype("pow", op.common_dtype(), kPowerTypes);
}

/// The same for a number as exponent, which must not be negative for integers.
[[structured::meta("pow.Tensor_Scalar", "pow_.Scalar", "pow.Tensor_Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_number_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& exponent) {
  STRUCTURED_CHECK(
      !exponent.is_integral(true) || !structured::is_integral(self.scalar_type(), true) || exponent.to<int64_t>() >= 0,
      "pow: integers cannot be raised to a negative power, got ", exponent);
  op.build_binary_op(op.maybe_get_output(), self, exponent);
  check_dtype("pow", op.common_dtype(), kPowerTypes);
}

/// The same of a number.
[[structured::meta("pow.Scalar", "pow.Scalar_out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void pow_of_number_meta(TensorIteratorBase& op, const Scalar& self, const Tensor& exponent) {
  op.build_binary_op(op.maybe_get_output(), exponent, self);
  check_dtype("pow", op.common_dtype(), kPowerTypes);
}

/// 0 where `self` is negative, 1 where it is positive, `values` where it is 0. Both have one dtype.
[[structured::meta("heaviside", "heaviside_", "heaviside.out"), structured::device_check(false),
  structured::tags("pointwise")]]
void heaviside_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& values) {
  STRUCTURED_CHECK(self.scalar_type() == values.scalar_type(), "heaviside: expected `values` of dtype ",
                   self.scalar_type(), ", as `self` has, got ", values.scalar_type());
  op.build_binary_op(op.maybe_get_output(), self, values);
  check_dtype("heaviside", op.common_dtype(), kRealTypes | kBool);
}

/// `self` times the probability that a normal variable is below it; `approximate` is "none", or "tanh" for the formula
/// with a hyperbolic tangent.
[[structured::meta("gelu", "gelu_", "gelu.out"), structured::device_check(false),
  structured::tags("core", "pointwise")]]
void gelu_meta(TensorIteratorBase& op, const Tensor& self,
               [[structured::kwonly]] std::string_view approximate = "none") {
  STRUCTURED_CHECK(approximate == "none" || approximate == "tanh",
                   "gelu: expected `approximate` to be \"none\" or \"tanh\", got \"", approximate, "\"");
  op.build_unary_op(op.maybe_get_output(), self);
  check_dtype("gelu", op.common_dtype(), kAllFloatingTypes);
}

/// `self` moved towards 0 by `lambd`, which must not be negative; 0 within that of it.
[[structured::meta("softshrink", "softshrink.out"), structured::device_check(false), structured::tags("pointwise")]]
void softshrink_meta(TensorIteratorBase& op, const Tensor& self, const Scalar& lambd = 0.5) {
  STRUCTURED_CHECK(lambd.to<double>() >= 0, "softshrink: expected `lambd` to be at least 0, got ", lambd);
  op.build_unary_op(op.maybe_get_output(), self);
  check_dtype("softshrink", op.common_dtype(), kAllFloatingTypes);
}

}  // namespace structured::kernels
