// Derivatives of elementary functions and activations.
#include <structured/ops/add.h>
#include <structured/ops/cos.h>
#include <structured/ops/cosh.h>
#include <structured/ops/div.h>
#include <structured/ops/erf.h>
#include <structured/ops/exp.h>
#include <structured/ops/gt.h>
#include <structured/ops/logical_and.h>
#include <structured/ops/lt.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/pow.h>
#include <structured/ops/rsqrt.h>
#include <structured/ops/rsub.h>
#include <structured/ops/sigmoid.h>
#include <structured/ops/sin.h>
#include <structured/ops/sinh.h>
#include <structured/ops/tanh.h>
#include <structured/ops/where.h>

#include <cmath>
#include <numbers>
#include <string_view>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

Tensor one_minus(const Tensor& a) { return structured::rsub(a, 1); }
Tensor square(const Tensor& a) { return structured::mul(a, a); }

}  // namespace

[[structured::backward("exp")]]
Tensor exp(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(out));
}

[[structured::backward("exp2")]]
Tensor exp2(const Tensor& grad, const Tensor& out) {
  return structured::mul(structured::mul(grad, conjugate(out)), std::log(2.0));
}

[[structured::backward("expm1")]]
Tensor expm1(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(structured::add(out, 1)));
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

[[structured::backward("log1p")]]
Tensor log1p(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, conjugate(structured::add(self, 1)));
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
  return structured::mul(grad, conjugate(structured::rsqrt(one_minus(square(self)))));
}

[[structured::backward("acos")]]
Tensor acos(const Tensor& grad, const Tensor& self) {
  return structured::neg(asin(grad, self));
}

[[structured::backward("atan")]]
Tensor atan(const Tensor& grad, const Tensor& self) {
  return structured::div(grad, conjugate(structured::add(square(self), 1)));
}

[[structured::backward("atan2")]]
TwoTensors atan2(const Tensor& grad, const Tensor& self, const Tensor& other) {
  const Tensor scale = structured::div(grad, structured::add(square(self), square(other)));
  return {structured::mul(scale, other), structured::neg(structured::mul(scale, self))};
}

[[structured::backward("tanh")]]
Tensor tanh(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(one_minus(square(out))));
}

[[structured::backward("erf")]]
Tensor erf(const Tensor& grad, const Tensor& self) {
  return structured::mul(structured::mul(grad, structured::exp(structured::neg(square(self)))),
                         2 / std::sqrt(std::numbers::pi));
}

[[structured::backward("sigmoid")]]
Tensor sigmoid(const Tensor& grad, const Tensor& out) {
  return structured::mul(grad, conjugate(structured::mul(one_minus(out), out)));
}

[[structured::backward("relu")]]
Tensor relu(const Tensor& grad, const Tensor& out) {
  return structured::where(structured::gt(out, 0), grad, 0.0);
}

[[structured::backward("leaky_relu")]]
Tensor leaky_relu(const Tensor& grad, const Tensor& self, const Scalar& negative_slope) {
  return structured::where(structured::gt(self, 0), grad, structured::mul(grad, negative_slope));
}

[[structured::backward("hardtanh")]]
Tensor hardtanh(const Tensor& grad, const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  const Tensor is_inside = structured::logical_and(structured::gt(self, min_val), structured::lt(self, max_val));
  return structured::where(is_inside, grad, 0.0);
}

[[structured::backward("threshold")]]
Tensor threshold(const Tensor& grad, const Tensor& self, const Scalar& threshold) {
  return structured::where(structured::gt(self, threshold), grad, 0.0);
}

[[structured::backward("elu")]]
Tensor elu(const Tensor& grad, const Tensor& self, const Scalar& alpha, const Scalar& scale,
           const Scalar& input_scale) {
  const double factor = alpha.to<double>() * scale.to<double>() * input_scale.to<double>();
  const Tensor exponential = structured::exp(structured::mul(self, input_scale));
  return structured::where(structured::gt(self, 0), structured::mul(grad, scale),
                           structured::mul(grad, structured::mul(exponential, factor)));
}

[[structured::backward("softplus")]]
Tensor softplus(const Tensor& grad, const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  const Tensor scaled_self = structured::mul(self, beta);
  return structured::where(structured::gt(scaled_self, threshold), grad,
                           structured::mul(grad, structured::sigmoid(scaled_self)));
}

[[structured::backward("silu")]]
Tensor silu(const Tensor& grad, const Tensor& self) {
  const Tensor gate = structured::sigmoid(self);
  const Tensor slope = structured::add(structured::mul(self, one_minus(gate)), 1);
  return structured::mul(grad, structured::mul(gate, slope));
}

[[structured::backward("gelu")]]
Tensor gelu(const Tensor& grad, const Tensor& self, std::string_view approximate) {
  if (approximate == "tanh") {
    constexpr double cubic = 0.044715;
    const double scale = std::sqrt(2 / std::numbers::pi);
    const Tensor squared = square(self);
    const Tensor inner =
        structured::mul(structured::mul(self, structured::add(structured::mul(squared, cubic), 1)), scale);
    const Tensor hyperbolic = structured::tanh(inner);
    const Tensor inner_slope = structured::mul(structured::add(structured::mul(squared, 3 * cubic), 1), scale);
    const Tensor product = structured::mul(structured::mul(self, one_minus(square(hyperbolic))), inner_slope);
    return structured::mul(grad, structured::mul(structured::add(structured::add(hyperbolic, 1), product), 0.5));
  }
  const Tensor probability =
      structured::mul(structured::add(structured::erf(structured::mul(self, std::sqrt(0.5))), 1), 0.5);
  const Tensor density =
      structured::mul(structured::exp(structured::mul(square(self), -0.5)), 1 / std::sqrt(2 * std::numbers::pi));
  return structured::mul(grad, structured::add(probability, structured::mul(self, density)));
}

}  // namespace structured::derivatives
