// Derivatives of elementary functions and activations.
#include <structured/core/dim_vector.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/addcmul.h>
#include <structured/ops/cat.h>
#include <structured/ops/chunk.h>
#include <structured/ops/cos.h>
#include <structured/ops/cosh.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/erfc.h>
#include <structured/ops/exp.h>
#include <structured/ops/ge.h>
#include <structured/ops/gt.h>
#include <structured/ops/hypot.h>
#include <structured/ops/isinf.h>
#include <structured/ops/isnan.h>
#include <structured/ops/le.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/lt.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/ones_like.h>
#include <structured/ops/pow.h>
#include <structured/ops/reshape.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/rsub.h>
#include <structured/ops/select.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sin.h>
#include <structured/ops/sinh.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/sub.h>
#include <structured/ops/view_as_real.h>
#include <structured/ops/where.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

// `1 - a * a`. For real numbers near 1, `1 - a` is exact, but the difference from the square is not.
Tensor one_minus_square(const Tensor& a) {
  if (a.is_complex()) return structured::rsub(square(a), 1);
  return structured::mul(structured::rsub(a, 1), structured::add(a, 1));
}

// Derivative of the sigmoid at `a`. `value` is sigmoid(a); `1 - value` has no correct digits for large `a`.
Tensor sigmoid_slope(const Tensor& a, const Tensor& value) {
  if (!a.is_complex()) return structured::mul(value, structured::sigmoid(structured::neg(a)));
  // `exp(-z) sigmoid(z)^2` for z = a or z = -a, whichever has no negative real part: sigmoid(-z) may overflow.
  const Tensor is_negative = structured::lt(real_part(a), 0);
  const Tensor larger = structured::where(is_negative, structured::rsub(value, 1), value);
  return structured::mul(structured::exp(structured::where(is_negative, a, structured::neg(a))), square(larger));
}

}  // namespace

[[structured::backward("exp")]]
Tensor exp(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(out));
}

[[structured::backward("log")]]
Tensor log(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, conjugate(self));
}

[[structured::backward("log2")]]
Tensor log2(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, structured::mul(conjugate(self), std::log(2.0)));
}

[[structured::backward("log10")]]
Tensor log10(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, structured::mul(conjugate(self), std::log(10.0)));
}

[[structured::backward("sqrt")]]
Tensor sqrt(const Tensor& grad, const Tensor& out) {
  return structured::div(grad, structured::mul(conjugate(out), 2));
}

[[structured::backward("rsqrt")]]
Tensor rsqrt(const Tensor& grad, const Tensor& out) {
  return structured::mul(structured::mul(grad, -0.5), conjugate(structured::pow(out, 3)));
}

[[structured::backward("reciprocal")]]
Tensor reciprocal(const Tensor& grad, const Tensor& out) {
  return structured::neg(structured::mul(grad, conjugate(square(out))));
}

[[structured::backward("sin")]]
Tensor sin(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(structured::cos(self)));
}

[[structured::backward("cos")]]
Tensor cos(const Tensor& grad, const Tensor& self) {
  return structured::neg(structured::mul(grad, conjugate(structured::sin(self))));
}

[[structured::backward("tan")]]
Tensor tan(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(structured::add(square(out), 1)));
}

[[structured::backward("sinh")]]
Tensor sinh(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(structured::cosh(self)));
}

[[structured::backward("cosh")]]
Tensor cosh(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(structured::sinh(self)));
}

[[structured::backward("asin")]]
Tensor asin(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(structured::rsqrt(one_minus_square(self))));
}

[[structured::backward("acos")]]
Tensor acos(const Tensor& grad, const Tensor& self) {
  return structured::neg(asin(grad, self));
}

[[structured::backward("atan")]]
Tensor atan(const Tensor& grad, const Tensor& self) {
  return converted(structured::div(grad, conjugate(structured::add(square(widened(self)), 1))), grad);
}

/// Without `self`, the gradient is 0 where `out` rounds to 1.
[[structured::backward("tanh")]]
Tensor tanh(const Tensor& grad, const std::optional<Tensor>& self, const Tensor& out) {
  if (!self.has_value()) return structured::mul(grad, conjugate(one_minus_square(out)));
  // sigmoid(2 x) is (1 + tanh(x)) / 2. That sum may cancel, which is harmless for complex numbers: sigmoid_slope() then
  // subtracts it from 1. Their exp(-2 x) may overflow.
  const Tensor doubled = structured::mul(*self, 2);
  const Tensor gate = out.is_complex() ? structured::mul(structured::add(out, 1), 0.5) : structured::sigmoid(doubled);
  return structured::mul(grad, conjugate(structured::mul(sigmoid_slope(doubled, gate), 4)));
}

/// Without `self`, the gradient is 0 where `out` rounds to 1.
[[structured::backward("sigmoid")]]
Tensor sigmoid(const Tensor& grad, const std::optional<Tensor>& self, const Tensor& out) {
  const Tensor slope = self.has_value() ? sigmoid_slope(*self, out) : structured::mul(structured::rsub(out, 1), out);
  return structured::mul(grad, conjugate(slope));
}

/// Without `self`, the gradient is 0 where `out` rounds to -1.
[[structured::backward("expm1")]]
Tensor expm1(const Tensor& grad, const std::optional<Tensor>& self, const Tensor& out) {
  return structured::mul(grad, conjugate(self.has_value() ? structured::exp(*self) : structured::add(out, 1)));
}

[[structured::backward("gelu")]]
Tensor gelu(const Tensor& grad, const Tensor& self, std::string_view approximate) {
  if (approximate == "tanh") {
    constexpr double cubic = 0.044715;
    const double scale = 2 * std::sqrt(2 / std::numbers::pi);
    const Tensor squared = square(self);
    const Tensor inner =
        structured::mul(structured::mul(self, structured::add(structured::mul(squared, cubic), 1)), scale);
    // (1 + tanh(x)) / 2 = sigmoid(2 x), which does not cancel for negative x.
    const Tensor gate = structured::sigmoid(inner);
    const Tensor gate_slope = structured::mul(gate, structured::sigmoid(structured::neg(inner)));
    const Tensor inner_slope = structured::mul(structured::add(structured::mul(squared, 3 * cubic), 1), scale);
    return structured::mul(grad, structured::addcmul(gate, structured::mul(self, gate_slope), inner_slope));
  }
  const Tensor probability = structured::mul(structured::erfc(structured::mul(self, -std::sqrt(0.5))), 0.5);
  const Tensor density =
      structured::mul(structured::exp(structured::mul(square(self), -0.5)), 1 / std::sqrt(2 * std::numbers::pi));
  return structured::mul(grad, structured::addcmul(probability, self, density));
}

[[structured::backward("asinh")]]
Tensor asinh(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) return structured::div(grad, structured::hypot(self, structured::ones_like(self)));
  return structured::mul(grad, conjugate(structured::rsqrt(structured::add(square(self), 1))));
}

/// The roots of real numbers are multiplied, since the square may overflow.
[[structured::backward("acosh")]]
Tensor acosh(const Tensor& grad, const Tensor& self) {
  if (!self.is_complex()) {
    const Tensor size = structured::abs(self);
    const Tensor root = structured::sqrt(structured::add(size, 1));
    return structured::div(structured::div(grad, root), structured::sqrt(structured::sub(size, 1)));
  }
  return structured::mul(grad, conjugate(structured::rsqrt(structured::sub(square(self), 1))));
}

[[structured::backward("atanh")]]
Tensor atanh(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, conjugate(one_minus_square(self)));
}

[[structured::backward("sinc")]]
Tensor sinc(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor slope =
      structured::div(structured::sub(structured::cos(structured::mul(self, std::numbers::pi)), out), self);
  const Tensor is_zero = structured::eq(self, 0);
  return structured::mul(grad, conjugate(structured::masked_fill(slope, is_zero, 0)));
}

[[structured::backward("log_sigmoid_forward")]]
Tensor log_sigmoid(const Tensor& grad_output, const Tensor& self) {
  if (!grad_output.defined()) return Tensor();
  return structured::mul(grad_output, structured::sigmoid(structured::neg(self)));
}

[[structured::backward("softshrink")]]
Tensor softshrink(const Tensor& grad, const Tensor& self, const Scalar& lambd) {
  return structured::where(structured::le(structured::abs(self), lambd), 0.0, grad);
}

/// `weight` has one element, or one for each channel.
[[structured::backward("prelu")]]
TwoTensors prelu(const Tensor& grad, const Tensor& self, const Tensor& weight) {
  const bool has_channels = self.dim() > 1 && weight.dim() > 0;
  DimVector sizes(static_cast<std::size_t>(self.dim()), 1);
  if (has_channels) sizes[1] = weight.numel();
  const Tensor slopes = structured::reshape(weight, sizes);
  const Tensor is_positive = structured::gt(self, 0);
  const Tensor of_slopes = structured::where(is_positive, 0.0, structured::mul(grad, self));
  return {structured::where(is_positive, grad, structured::mul(grad, slopes)),
          structured::reshape(summed_to(of_slopes, sizes), weight.sizes())};
}

[[structured::backward("glu")]]
Tensor glu(const Tensor& grad, const Tensor& self, int64_t dim) {
  const std::vector<Tensor> halves = structured::chunk(self, 2, dim);
  const Tensor gate = structured::sigmoid(halves[1]);
  const Tensor of_gate = structured::mul(structured::mul(grad, halves[0]),
                                         structured::mul(gate, structured::sigmoid(structured::neg(halves[1]))));
  return structured::cat({structured::mul(grad, gate), of_gate}, dim);
}

[[structured::backward("nan_to_num")]]
Tensor nan_to_num(const Tensor& grad, const Tensor& self) {
  const Tensor is_replaced = structured::logical_or(structured::isinf(self), structured::isnan(self));
  return structured::masked_fill(grad, is_replaced, 0);
}

[[structured::backward("complex")]]
TwoTensors complex(const Tensor& grad) {
  const Tensor parts = structured::view_as_real(grad);
  return {structured::select(parts, -1, 0), structured::select(parts, -1, 1)};
}

[[structured::backward("polar")]]
TwoTensors polar(const Tensor& grad, const Tensor& abs, const Tensor& angle) {
  const Tensor parts = structured::view_as_real(grad);
  const Tensor of_real = structured::select(parts, -1, 0);
  const Tensor of_imaginary = structured::select(parts, -1, 1);
  const Tensor cosine = structured::cos(angle);
  const Tensor sine = structured::sin(angle);
  const Tensor of_angle = structured::sub(structured::mul(of_imaginary, cosine), structured::mul(of_real, sine));
  return {structured::add(structured::mul(of_real, cosine), structured::mul(of_imaginary, sine)),
          structured::mul(of_angle, abs)};
}

/// Bounds get the gradients of the elements that they replace.
[[structured::backward("clamp.Tensor", "self")]]
Tensor clamp_self(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                  const std::optional<Tensor>& max) {
  Tensor result = grad;
  if (min.has_value()) result = structured::where(structured::ge(self, *min), result, 0.0);
  if (max.has_value()) result = structured::where(structured::le(self, *max), result, 0.0);
  return result;
}

[[structured::backward("clamp.Tensor", "min", "max")]]
TwoTensors clamp_bounds(const Tensor& grad, const Tensor& self, const std::optional<Tensor>& min,
                        const std::optional<Tensor>& max, std::array<bool, 2> needs_gradient) {
  TwoTensors result;
  if (needs_gradient[0] && min.has_value()) {
    Tensor is_low = structured::lt(self, *min);
    if (max.has_value()) is_low = structured::logical_and(is_low, structured::lt(*min, *max));
    std::get<0>(result) = structured::where(is_low, grad, 0.0);
  }
  if (needs_gradient[1] && max.has_value()) {
    Tensor is_high = structured::gt(self, *max);
    if (min.has_value()) is_high = structured::logical_or(is_high, structured::gt(*min, *max));
    std::get<1>(result) = structured::where(is_high, grad, 0.0);
  }
  return result;
}

}  // namespace structured::derivatives
