// Regularized incomplete gamma functions, in double.
#pragma once

#include <structured/base/export.h>

#include <cmath>
#include <limits>

namespace structured::kernels::math {

namespace detail {

constexpr int kMaxGammaTerms = 200000;  // the series takes some multiple of the root of `a` near x = a

/// x^a exp(-x) / gamma(a).
STRUCTURED_HOST_DEVICE inline double gamma_density(double a, double x) {
  return std::exp(a * std::log(x) - x - std::lgamma(a));
}

/// P(a, x) by its power series, for x below a + 1.
STRUCTURED_HOST_DEVICE inline double gamma_series(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int k = 1; k < kMaxGammaTerms; ++k) {
    term *= x / (a + k);
    sum += term;
    if (term < sum * std::numeric_limits<double>::epsilon()) break;
  }
  return sum * gamma_density(a, x);
}

/// 1 - P(a, x) by its continued fraction (W. J. Lentz, 1976), for other x.
STRUCTURED_HOST_DEVICE inline double gamma_fraction(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / tiny;
  double d = 1 / b;
  double result = d;
  for (int k = 1; k < kMaxGammaTerms; ++k) {
    const double factor = -k * (k - a);
    b += 2;
    d = factor * d + b;
    d = 1 / (std::fabs(d) < tiny ? tiny : d);
    c = b + factor / c;
    if (std::fabs(c) < tiny) c = tiny;
    const double change = c * d;
    result *= change;
    if (std::fabs(change - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return result * gamma_density(a, x);
}

}  // namespace detail

/// P(a, x), or 1 - P(a, x) if `upper`: the share of the gamma function's integral below, or above, x. NaN for negative
/// arguments, for a = x = 0 and for two infinities.
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double incomplete_gamma(double a, double x, bool upper) {
  const double below = upper ? 0 : 1;
  if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (std::isinf(a) && std::isinf(x))) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (a == 0 || std::isinf(x)) return below;
  if (x == 0 || std::isinf(a)) return 1 - below;
  if (x < a + 1) {
    const double result = detail::gamma_series(a, x);
    return upper ? 1 - result : result;
  }
  const double result = detail::gamma_fraction(a, x);
  return upper ? result : 1 - result;
}

}  // namespace structured::kernels::math
