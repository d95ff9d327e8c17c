// Derivatives of special functions.
#include <structured/core/error.h>
#include <structured/ops/add.h>
#include <structured/ops/digamma.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/exp.h>
#include <structured/ops/i0.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/polygamma.h>
#include <structured/ops/sgn.h>
#include <structured/ops/special_erfcx.h>
#include <structured/ops/special_i0e.h>
#include <structured/ops/special_i1.h>
#include <structured/ops/special_i1e.h>
#include <structured/ops/special_zeta.h>
#include <structured/ops/sub.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

Tensor square(const Tensor& a) { return structured::mul(a, a); }

// `a / b`, and `limit` where `b` is 0.
Tensor ratio(const Tensor& a, const Tensor& b, double limit) {
  const Tensor is_zero = structured::eq(b, 0);
  return structured::masked_fill(structured::div(a, structured::masked_fill(b, is_zero, 1)), is_zero, limit);
}

}  // namespace

[[structured::backward("lgamma")]]
Tensor lgamma(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::digamma(self));
}

[[structured::backward("digamma")]]
Tensor digamma(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::polygamma(1, self));
}

[[structured::backward("polygamma")]]
Tensor polygamma(const Tensor& grad, int64_t n, const Tensor& self) {
  return structured::mul(grad, structured::polygamma(n + 1, self));
}

[[structured::backward("special_zeta", "self")]]
Tensor zeta_self([[maybe_unused]] const Tensor& grad) {
  structured::fail("the derivative of special_zeta with respect to `self` is not implemented");
}

[[structured::backward("special_zeta", "other")]]
Tensor zeta_other(const Tensor& grad, const Tensor& self, const Tensor& other) {
  const Tensor slope = structured::mul(self, structured::special_zeta(structured::add(self, 1), other));
  return structured::neg(structured::mul(grad, slope));
}

[[structured::backward("i0")]]
Tensor i0(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::special_i1(self));
}

[[structured::backward("special_i0e")]]
Tensor i0e(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor slope = structured::sub(structured::special_i1e(self), structured::mul(structured::sgn(self), out));
  return structured::mul(grad, slope);
}

[[structured::backward("special_i1")]]
Tensor i1(const Tensor& grad, const Tensor& self, const Tensor& out) {
  return structured::mul(grad, structured::sub(structured::i0(self), ratio(out, self, 0.5)));
}

[[structured::backward("special_i1e")]]
Tensor i1e(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor slope = structured::sub(structured::special_i0e(self), structured::mul(structured::sgn(self), out));
  return structured::mul(grad, structured::sub(slope, ratio(out, self, 0.5)));
}

[[structured::backward("erfinv")]]
Tensor erfinv(const Tensor& grad, const Tensor& out) {
  return structured::mul(structured::mul(grad, structured::exp(square(out))), std::sqrt(std::numbers::pi) / 2);
}

[[structured::backward("special_ndtri")]]
Tensor ndtri(const Tensor& grad, const Tensor& out) {
  const Tensor inverse_density = structured::exp(structured::mul(square(out), 0.5));
  return structured::mul(structured::mul(grad, inverse_density), std::sqrt(2 * std::numbers::pi));
}

[[structured::backward("special_log_ndtr")]]
Tensor log_ndtr(const Tensor& grad, const Tensor& self) {
  const Tensor scaled_tail = structured::special_erfcx(structured::mul(self, -std::sqrt(0.5)));
  return structured::mul(structured::div(grad, scaled_tail), std::sqrt(2 / std::numbers::pi));
}

[[structured::backward("special_erfcx")]]
Tensor erfcx(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor slope = structured::sub(structured::mul(structured::mul(self, out), 2), 2 / std::sqrt(std::numbers::pi));
  return structured::mul(grad, slope);
}

}  // namespace structured::derivatives
