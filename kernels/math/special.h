// Special functions of real numbers, in double, by their definitions: power series where these converge fast,
// asymptotic series elsewhere.
#pragma once

#include <structured/base/export.h>

#include <cmath>
#include <limits>

namespace structured::kernels::math {

/// Returns exp(-|x|) times the modified Bessel function of the first kind of order 0 or 1.
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double scaled_bessel_i(int order, double x) {
  const double size = std::fabs(x);
  double term = 1;
  double sum = 1;
  if (size < 30) {
    const double square = size * size / 4;
    for (int k = 1; k < 100 && term > sum * 1e-17; ++k) {
      term *= square / (static_cast<double>(k) * static_cast<double>(k + order));
      sum += term;
    }
    const double value = sum * std::exp(-size);
    return order == 0 ? value : value * x / 2;
  }
  if (std::isinf(size)) return 0;
  const double mu = order == 0 ? 0 : 4;
  for (int k = 1; k < 30 && std::fabs(term) > 1e-17; ++k) {
    const double odd = 2 * k - 1;
    term *= -(mu - odd * odd) / (8 * size * k);
    sum += term;
  }
  const double value = sum / (2.506628274631000502 * std::sqrt(size));  // 2 pi times `size` might overflow
  return order == 0 || x > 0 ? value : -value;
}

/// Returns the modified Bessel function of the first kind of order 0 or 1.
STRUCTURED_HOST_DEVICE inline double bessel_i(int order, double x) {
  const double root = std::exp(std::fabs(x) / 2);  // exp(|x|) overflows earlier than the function does
  return root * scaled_bessel_i(order, x) * root;
}

/// Returns the digamma function, the derivative of log(gamma(x)).
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double digamma(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  double result = 0;
  if (x < 0) {
    const double fraction = x - std::trunc(x);
    if (fraction == 0 || std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
    result = -3.14159265358979323846 / std::tan(3.14159265358979323846 * fraction);
    x = 1 - x;
  }
  for (; x < 10; x += 1) result -= 1 / x;
  const double z = 1 / (x * x);
  constexpr double coefficients[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
  double power = z;
  double tail = 0;
  for (const double coefficient : coefficients) {
    tail += coefficient * power;
    power *= z;
  }
  return std::isinf(x) ? x : result + std::log(x) - 0.5 / x - tail;
}

/// Returns the sum of (q + k)^-s over k >= 0, for q > 0: a few terms, and the Euler-Maclaurin formula for the rest.
STRUCTURED_HOST_DEVICE inline double zeta_of_positive(double s, double q) {
  double sum = 0;
  for (; q < 10; q += 1) sum += std::pow(q, -s);
  constexpr double bernoulli[] = {
      1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600};
  const double power = std::pow(q, -s);
  if (power == 0 && sum > 0) return sum;  // also for infinity, which the formula would multiply by 0
  sum += power * q / (s - 1) + power / 2;
  double factor = s * power / q;
  int j = 1;
  for (const double number : bernoulli) {
    sum += number * factor;
    factor *= (s + 2 * j - 1) * (s + 2 * j) / (q * q);
    ++j;
  }
  return sum;
}

/// Returns the Hurwitz zeta function.
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double zeta(double s, double q) {
  if (s == 1) return std::numeric_limits<double>::infinity();
  if (!(s > 1) || q != q) return std::numeric_limits<double>::quiet_NaN();
  if (q > 0) return zeta_of_positive(s, q);
  if (q == std::floor(q)) return std::numeric_limits<double>::infinity();
  if (s != std::floor(s)) return std::numeric_limits<double>::quiet_NaN();
  // Terms of negative numbers equal those of positive numbers except for signs.
  const double fraction = q - std::floor(q);
  const double mirrored = zeta_of_positive(s, 1 - fraction) - zeta_of_positive(s, 1 - q);
  return zeta_of_positive(s, fraction) + (std::fmod(s, 2) == 0 ? mirrored : -mirrored);
}

/// Returns the x with erfc(x) = `c`, for `c` in [0, 1]: S. Winitzki's approximation, refined by Halley's method.
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double erfcinv(double c) {
  if (c == 0) return std::numeric_limits<double>::infinity();
  constexpr double a = 0.147;
  const double log = std::log(c * (2 - c));
  const double half = 2 / (3.14159265358979323846 * a) + log / 2;
  double x = std::sqrt(std::fmax(0.0, std::sqrt(half * half - log / a) - half));
  for (int i = 0; i < 3; ++i) {
    const double error = c - std::erfc(x);
    const double slope = 1.12837916709551257390 * std::exp(-x * x);
    if (slope == 0) break;
    x -= error / (slope + x * error);
  }
  return x;
}

/// Returns the x with erf(x) = `y`, for `y` in [0, 1].
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double erfinv(double y) {
  if (y > 0.5) return erfcinv(1 - y);
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 3; ++i) {
    const double error = std::erf(x) - y;
    x -= error / (1.12837916709551257390 * std::exp(-x * x) + x * error);
  }
  return x;
}

/// Returns exp(x * x) * erfc(x).
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE inline double erfcx(double x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  double term = 1;
  double sum = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * 1.77245385090551602730);
}

}  // namespace structured::kernels::math
