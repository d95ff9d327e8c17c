// Derivatives of elementwise arithmetic. The gradient of an input that was broadcast is summed by its node.
#include <structured/base/error.h>
#include <structured/ops/_strong_zero_mul.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/ldexp.h>
#include <structured/ops/le.h>
#include <structured/ops/log.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/lt.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/pow.h>
#include <structured/ops/select.h>
#include <structured/ops/sgn.h>
#include <structured/ops/stack.h>
#include <structured/ops/sub.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros_like.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("add.Tensor", "self")]] [[structured::backward("sub.Tensor", "self")]] [[structured::backward(
    "add.Scalar", "self")]] [[structured::backward("sub.Scalar", "self")]] [[structured::backward("rsub.Tensor",
                                                                                                  "other")]]
Tensor add_self(const Tensor& grad) {
  return grad;
}

[[structured::backward("add.Tensor", "other")]]
Tensor add_other(const Tensor& grad, const Scalar& alpha) {
  return scaled(grad, conjugate(alpha));
}

[[structured::backward("sub.Tensor", "other")]]
Tensor sub_other(const Tensor& grad, const Scalar& alpha) {
  return structured::neg(scaled(grad, conjugate(alpha)));
}

[[structured::backward("rsub.Tensor", "self")]] [[structured::backward("rsub.Scalar", "self")]]
Tensor rsub_self(const Tensor& grad, const Scalar& alpha) {
  return structured::neg(scaled(grad, conjugate(alpha)));
}

[[structured::backward("mul.Tensor", "self")]]
Tensor mul_self(const Tensor& grad, const Tensor& other) {
  return structured::mul(grad, conjugate(other));
}

[[structured::backward("mul.Tensor", "other")]]
Tensor mul_other(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(self));
}

[[structured::backward("_strong_zero_mul", "self")]]
Tensor strong_zero_mul_self(const Tensor& grad, const Tensor& other) {
  return structured::_strong_zero_mul(grad, conjugate(other));
}

[[structured::backward("_strong_zero_mul", "other")]]
Tensor strong_zero_mul_other(const Tensor& grad, const Tensor& self) {
  return structured::_strong_zero_mul(grad, conjugate(self));
}

[[structured::backward("mul.Scalar", "self")]]
Tensor mul_scalar(const Tensor& grad, const Scalar& other) {
  return scaled(grad, conjugate(other));
}

[[structured::backward("div.Tensor", "self")]]
Tensor div_self(const Tensor& grad, const Tensor& other) {
  return structured::div(grad, conjugate(other));
}

[[structured::backward("div.Tensor", "other")]]
Tensor div_other(const Tensor& grad, const Tensor& self, const Tensor& other) {
  return structured::neg(structured::mul(grad, conjugate(structured::div(structured::div(self, other), other))));
}

[[structured::backward("div.Scalar", "self")]]
Tensor div_scalar(const Tensor& grad, const Scalar& other) {
  return structured::div(grad, conjugate(other));
}

[[structured::backward("div.Tensor_mode", "self")]]
Tensor div_mode_self(const Tensor& grad, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  return rounding_mode.has_value() ? structured::zeros_like(grad) : div_self(grad, other);
}

[[structured::backward("div.Tensor_mode", "other")]]
Tensor div_mode_other(const Tensor& grad, const Tensor& self, const Tensor& other,
                      std::optional<std::string_view> rounding_mode) {
  return rounding_mode.has_value() ? structured::zeros_like(grad) : div_other(grad, self, other);
}

[[structured::backward("div.Scalar_mode", "self")]]
Tensor div_scalar_mode(const Tensor& grad, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return rounding_mode.has_value() ? structured::zeros_like(grad) : div_scalar(grad, other);
}

[[structured::backward("neg")]]
Tensor neg(const Tensor& grad) {
  return structured::neg(grad);
}

[[structured::backward("abs")]]
Tensor abs(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::sgn(self));
}

[[structured::backward("pow.Tensor_Scalar", "self")]]
Tensor pow_scalar(const Tensor& grad, const Tensor& self, const Scalar& exponent) {
  if (exponent.is_complex()) {
    const Scalar less =
        Complex<double>(exponent.to<Complex<double>>().real() - 1, exponent.to<Complex<double>>().imag());
    return structured::mul(grad, conjugate(structured::mul(structured::pow(self, less), exponent)));
  }
  const double power = exponent.to<double>();
  if (power == 0) return structured::zeros_like(grad);
  const Scalar less = exponent.is_integral(true) ? Scalar(exponent.to<int64_t>() - 1) : Scalar(power - 1);
  return structured::mul(grad, conjugate(structured::mul(structured::pow(self, less), exponent)));
}

[[structured::backward("pow.Tensor_Tensor", "self")]]
Tensor pow_self(const Tensor& grad, const Tensor& self, const Tensor& exponent) {
  const Tensor slope = structured::mul(exponent, structured::pow(self, structured::sub(exponent, 1)));
  return structured::where(structured::eq(exponent, 0), 0.0, structured::mul(grad, conjugate(slope)));
}

[[structured::backward("pow.Tensor_Tensor", "exponent")]]
Tensor pow_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent, const Tensor& out) {
  const Tensor slope = structured::mul(grad, conjugate(structured::mul(out, structured::log(self))));
  const Tensor is_zero = exponent.is_complex()
                             ? structured::eq(self, 0)
                             : structured::logical_and(structured::eq(self, 0), structured::ge(exponent, 0));
  return structured::where(is_zero, 0.0, slope);
}

[[structured::backward("pow.Scalar", "exponent")]]
Tensor pow_of_scalar(const Tensor& grad, const Scalar& self, const Tensor& exponent, const Tensor& out) {
  if (self.is_complex()) {
    const Tensor base = structured::mul(structured::ones_like(out), self);
    return structured::mul(grad, conjugate(structured::mul(out, structured::log(base))));
  }
  const double base = self.to<double>();
  if (base != 0) {
    const Tensor logarithm = structured::log(structured::mul(structured::ones_like(out), self));
    return structured::mul(grad, conjugate(structured::mul(out, logarithm)));
  }
  if (exponent.is_complex()) return structured::zeros_like(grad);
  return structured::where(structured::ge(exponent, 0), 0.0,
                           structured::mul(grad, structured::mul(out, std::log(base))));
}

[[structured::backward("where.self", "self")]]
Tensor where_self(const Tensor& grad, const Tensor& condition) {
  return structured::where(condition, grad, 0.0);
}

[[structured::backward("where.self", "other")]]
Tensor where_other(const Tensor& grad, const Tensor& condition) {
  return structured::where(condition, 0.0, grad);
}

[[structured::backward("addcmul")]]
std::tuple<Tensor, Tensor, Tensor> addcmul(const Tensor& grad, const Tensor& tensor1, const Tensor& tensor2,
                                           const Scalar& value, std::array<bool, 3> needs_gradient) {
  const Tensor product = scaled(grad, conjugate(value));
  return {grad, needs_gradient[1] ? structured::mul(product, conjugate(tensor2)) : Tensor(),
          needs_gradient[2] ? structured::mul(product, conjugate(tensor1)) : Tensor()};
}

[[structured::backward("addcdiv")]]
std::tuple<Tensor, Tensor, Tensor> addcdiv(const Tensor& grad, const Tensor& tensor1, const Tensor& tensor2,
                                           const Scalar& value, std::array<bool, 3> needs_gradient) {
  const Tensor quotient = structured::div(scaled(grad, conjugate(value)), conjugate(tensor2));
  return {grad, quotient,
          needs_gradient[2] ? structured::neg(structured::mul(quotient, conjugate(structured::div(tensor1, tensor2))))
                            : Tensor()};
}

[[structured::backward("lerp.Scalar")]]
TwoTensors lerp_scalar(const Tensor& grad, const Scalar& weight) {
  const Tensor of_end = scaled(grad, conjugate(weight));
  return {structured::sub(grad, of_end), of_end};
}

[[structured::backward("lerp.Tensor")]]
std::tuple<Tensor, Tensor, Tensor> lerp_tensor(const Tensor& grad, const Tensor& self, const Tensor& end,
                                               const Tensor& weight, std::array<bool, 3> needs_gradient) {
  const Tensor of_end = structured::mul(grad, conjugate(weight));
  return {structured::sub(grad, of_end), of_end,
          needs_gradient[2] ? structured::mul(grad, conjugate(structured::sub(end, self))) : Tensor()};
}

/// Gradient of a clamp to numbers: 0 at the bounds.
[[structured::backward("clamp", "self")]]
Tensor clamp(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
             const std::optional<Scalar>& max) {
  Tensor result = grad;
  if (min.has_value()) result = structured::where(structured::gt(self, *min), result, 0.0);
  if (max.has_value()) result = structured::where(structured::lt(self, *max), result, 0.0);
  return result;
}

[[structured::backward("clamp_min", "self")]]
Tensor clamp_min(const Tensor& grad, const Tensor& self, const Scalar& min) {
  return structured::where(structured::gt(self, min), grad, 0.0);
}

[[structured::backward("clamp_max", "self")]]
Tensor clamp_max(const Tensor& grad, const Tensor& self, const Scalar& max) {
  return structured::where(structured::lt(self, max), grad, 0.0);
}

/// Gradient of hardtanh: 0 at the bounds, and all of it where `self` is NaN.
[[structured::backward("hardtanh", "self")]]
Tensor hardtanh(const Tensor& grad, const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  const Tensor is_clamped = structured::logical_or(structured::le(self, min_val), structured::ge(self, max_val));
  return structured::masked_fill(grad, is_clamped, 0);
}

[[structured::backward("masked_fill.Scalar", "self")]] [[structured::backward("masked_fill_.Scalar", "self")]]
Tensor masked_fill(const Tensor& grad, const Tensor& mask) {
  return structured::masked_fill(grad, mask, 0);
}

/// 0 for real numbers; for complex ones the part of `grad` that is orthogonal to `out`, divided by the absolute value.
[[structured::backward("sgn")]]
Tensor sgn(const Tensor& grad, const Tensor& self, const Tensor& out) {
  if (!self.is_complex()) return structured::zeros_like(grad);
  const Tensor along = structured::mul(real_part(structured::mul(conjugate(out), grad)), out);
  const Tensor across = structured::div(structured::sub(grad, along), structured::abs(self));
  return structured::masked_fill(across, structured::eq(self, 0), 0);
}

[[structured::backward("conj_physical")]] [[structured::backward("_conj")]] [[structured::backward("_conj_physical")]]
Tensor conj(const Tensor& grad) {
  return conjugate(grad);
}

[[structured::backward("nextafter", "self")]]
Tensor nextafter_self(const Tensor& grad, const Tensor& self, const Tensor& other) {
  return structured::masked_fill(grad, structured::eq(self, other), 0);
}

[[structured::backward("nextafter", "other")]]
Tensor nextafter_other(const Tensor& grad) {
  return structured::zeros_like(grad);
}

[[structured::backward("frexp.Tensor")]]
Tensor frexp(const Tensor& grad, const Tensor& exponent) {
  return structured::ldexp(grad, structured::neg(exponent));
}

[[structured::backward("ldexp.Tensor", "self")]]
Tensor ldexp_self(const Tensor& grad, const Tensor& other) {
  return structured::ldexp(grad, conjugate(other));
}

[[structured::backward("ldexp.Tensor", "other")]]
Tensor ldexp_other(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(structured::mul(out, std::numbers::ln2)));
}

[[structured::backward("sign")]] [[structured::backward("round.decimals")]] [[structured::backward(
    "floor")]] [[structured::backward("ceil")]] [[structured::backward("round")]] [[structured::backward("trunc")]]
Tensor zero_slope(const Tensor& grad) {
  return structured::zeros_like(grad);
}

/// 0 for real numbers, and at 0.
[[structured::backward("angle")]]
Tensor angle(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return structured::zeros_like(grad);
  // Divides by the absolute value twice, since its square may overflow.
  const Tensor size = structured::abs(self);
  const Tensor is_zero = structured::eq(size, 0);
  const Tensor divisor = structured::masked_fill(size, is_zero, 1);
  const Tensor direction = structured::view_as_real(structured::div(self, divisor));
  const Tensor scale = structured::masked_fill(structured::div(grad, divisor), is_zero, 0);
  const Tensor of_parts =
      structured::stack({structured::neg(structured::mul(structured::select(direction, -1, 1), scale)),
                         structured::mul(structured::select(direction, -1, 0), scale)},
                        -1);
  return structured::view_as_complex(of_parts);
}

}  // namespace structured::derivatives
