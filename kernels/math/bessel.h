// Bessel functions and the Airy function Ai in double, by the standard library. Not inlined: loops that call them gain
// nothing from larger vectors.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace structured::kernels::math {

/// J of order 0 or 1; NaN for infinity, as in PyTorch.
__attribute__((noinline)) inline double bessel_j(int order, double x) {
  if (std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  return order == 0 ? ::j0(x) : ::j1(x);
}

/// Y of order 0 or 1: negative infinity at 0, NaN for negative numbers and, as in PyTorch, for infinity.
__attribute__((noinline)) inline double bessel_y(int order, double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (!(x > 0) || std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  return order == 0 ? ::y0(x) : ::y1(x);
}

/// K of order 0 or 1, times exp(x) if `scaled`: infinity at 0, NaN for negative numbers.
__attribute__((noinline)) inline double bessel_k(int order, double x, bool scaled) {
  if (x == 0) return std::numeric_limits<double>::infinity();
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double large = 300;  // where K is still far from underflow
  if (x < large) return std::cyl_bessel_k(static_cast<double>(order), x) * (scaled ? std::exp(x) : 1);
  // Asymptotic series: the terms decrease rapidly for large arguments.
  const double mu = 4.0 * order * order;
  double term = 1;
  double sum = 1;
  for (int k = 1; k <= 8; ++k) {
    const double odd = 2 * k - 1;
    term *= (mu - odd * odd) / (8 * k * x);
    sum += term;
  }
  return std::sqrt(std::numbers::pi / (2 * x)) * sum * (scaled ? 1 : std::exp(-x));
}

/// sin(x) / x.
__attribute__((noinline)) inline double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::fabs(x) < 1e-4) return 1 - x * x / 6;
  return std::sin(x) / x;
}

/// Ai, from Bessel functions of order 1/3; NaN for infinities, as in PyTorch.
__attribute__((noinline)) inline double airy_ai(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double third = 1.0 / 3;
  if (x == 0) return 0.35502805388781723926;
  const double size = std::fabs(x);
  const double z = 2 * third * size * std::sqrt(size);
  if (x > 0) return z > 700 ? 0 : std::sqrt(size * third) * std::cyl_bessel_k(third, z) / std::numbers::pi;
  // J of order -1/3 is cos(pi / 3) J - sin(pi / 3) Y of order 1/3.
  const double j = std::cyl_bessel_j(third, z);
  const double y = std::cyl_neumann(third, z);
  return std::sqrt(size) * third * (1.5 * j - std::sqrt(3.0) / 2 * y);
}

}  // namespace structured::kernels::math
