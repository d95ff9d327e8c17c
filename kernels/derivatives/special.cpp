// Derivatives of special functions.
#include <structured/base/error.h>
#include <structured/ops/add.h>
#include <structured/ops/digamma.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/exp.h>
#include <structured/ops/gt.h>
#include <structured/ops/i0.h>
#include <structured/ops/lgamma.h>
#include <structured/ops/log.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/mul.h>
#include <structured/ops/neg.h>
#include <structured/ops/polygamma.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/sgn.h>
#include <structured/ops/special_bessel_j0.h>
#include <structured/ops/special_bessel_j1.h>
#include <structured/ops/special_bessel_y0.h>
#include <structured/ops/special_bessel_y1.h>
#include <structured/ops/special_erfcx.h>
#include <structured/ops/special_i0e.h>
#include <structured/ops/special_i1.h>
#include <structured/ops/special_i1e.h>
#include <structured/ops/special_modified_bessel_i0.h>
#include <structured/ops/special_modified_bessel_i1.h>
#include <structured/ops/special_modified_bessel_k0.h>
#include <structured/ops/special_modified_bessel_k1.h>
#include <structured/ops/special_zeta.h>
#include <structured/ops/sub.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros_like.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

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

[[structured::backward("mvlgamma")]] [[structured::backward("mvlgamma_")]]
Tensor mvlgamma(const Tensor& grad, const Tensor& self, int64_t p) {
  Tensor slope = structured::digamma(self);
  for (int64_t i = 1; i < p; ++i) {
    slope = structured::add(slope, structured::digamma(structured::sub(self, static_cast<double>(i) / 2)));
  }
  return structured::mul(grad, slope);
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

[[structured::backward("special_ndtr")]]
Tensor ndtr(const Tensor& grad, const Tensor& self) {
  const Tensor density = structured::exp(structured::mul(square(self), -0.5));
  return structured::mul(structured::mul(grad, density), 1 / std::sqrt(2 * std::numbers::pi));
}

/// For large x, `2 x erfcx(x)` differs little from its limit, `2 / sqrt(pi)`: the difference is a series in 1 / x^2.
[[structured::backward("special_erfcx")]]
Tensor erfcx(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const double limit = 2 / std::sqrt(std::numbers::pi);
  const Tensor is_large = structured::gt(self, 20);
  const Tensor large = structured::where(is_large, self, 20.0);
  const Tensor half_square = structured::mul(square(structured::reciprocal(large)), 0.5);
  Tensor series = structured::zeros_like(large);
  constexpr int terms = 10;
  for (int k = terms; k >= 1; --k) {
    series = structured::mul(structured::mul(structured::add(series, 1), half_square), static_cast<double>(1 - 2 * k));
  }
  const Tensor near = structured::sub(structured::mul(structured::mul(self, out), 2), limit);
  return structured::mul(grad, structured::where(is_large, structured::mul(series, limit), near));
}

[[structured::backward("special_bessel_j0")]]
Tensor bessel_j0(const Tensor& grad, const Tensor& self) {
  return structured::neg(structured::mul(grad, structured::special_bessel_j1(self)));
}

[[structured::backward("special_bessel_j1")]]
Tensor bessel_j1(const Tensor& grad, const Tensor& self, const Tensor& out) {
  return structured::mul(grad, structured::sub(structured::special_bessel_j0(self), ratio(out, self, 0.5)));
}

[[structured::backward("special_bessel_y0")]]
Tensor bessel_y0(const Tensor& grad, const Tensor& self) {
  return structured::neg(structured::mul(grad, structured::special_bessel_y1(self)));
}

[[structured::backward("special_bessel_y1")]]
Tensor bessel_y1(const Tensor& grad, const Tensor& self, const Tensor& out) {
  return structured::mul(grad, structured::sub(structured::special_bessel_y0(self), structured::div(out, self)));
}

[[structured::backward("special_modified_bessel_i0")]]
Tensor modified_bessel_i0(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, structured::special_modified_bessel_i1(self));
}

[[structured::backward("special_modified_bessel_i1")]]
Tensor modified_bessel_i1(const Tensor& grad, const Tensor& self, const Tensor& out) {
  return structured::mul(grad, structured::sub(structured::special_modified_bessel_i0(self), ratio(out, self, 0.5)));
}

[[structured::backward("special_modified_bessel_k0")]]
Tensor modified_bessel_k0(const Tensor& grad, const Tensor& self) {
  return structured::neg(structured::mul(grad, structured::special_modified_bessel_k1(self)));
}

[[structured::backward("special_modified_bessel_k1")]]
Tensor modified_bessel_k1(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor slope = structured::add(structured::special_modified_bessel_k0(self), structured::div(out, self));
  return structured::neg(structured::mul(grad, slope));
}

// other^(self - 1) exp(-other) / gamma(self).
[[structured::backward("igamma", "other")]]
Tensor igamma_other(const Tensor& grad, const Tensor& self, const Tensor& other) {
  const Tensor power = structured::mul(structured::sub(self, 1), structured::log(other));
  return structured::mul(grad,
                         structured::exp(structured::sub(structured::sub(power, other), structured::lgamma(self))));
}

[[structured::backward("igammac", "other")]]
Tensor igammac_other(const Tensor& grad, const Tensor& self, const Tensor& other) {
  return structured::neg(igamma_other(grad, self, other));
}

}  // namespace structured::derivatives
