// Digamma, polygamma and the Hurwitz zeta function. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/error.h>
#include <structured/base/export.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/special.h"

namespace structured::kernels {

/// Digamma function: derivative of the logarithm of the gamma function. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("digamma", "digamma_", "digamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T digamma(T self) {
  return static_cast<T>(math::digamma(static_cast<double>(self)));
}

/// Polygamma function: `n`-th derivative of the digamma function. `n` must not be negative. Integer and Bool inputs are
/// converted to the default dtype.
///
/// For `n` = 1 and `self < 0.5` the reflection formula is evaluated in the dtype of `self`, so that poles give large
/// finite numbers.
template <typename T>
[[structured::pointwise("polygamma", "polygamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T polygamma(int64_t n, T self) {
#ifndef __CUDA_ARCH__
  STRUCTURED_CHECK(n >= 0, "polygamma: expected `n` not to be negative, got ", n);
#endif
  const double x = static_cast<double>(self);
  if (n == 0) return static_cast<T>(math::digamma(x));
  if (n == 1 && x < 0.5) {
    using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
    constexpr double pi = 3.14159265358979323846;
    const double sine = static_cast<double>(std::sin(static_cast<Real>(pi) * static_cast<Real>(self)));
    return static_cast<T>(pi * pi / (sine * sine) - math::zeta(2, 1 - x));
  }
  const double order = static_cast<double>(n);
  const double value = std::exp(std::lgamma(order + 1)) * math::zeta(order + 1, x);
  return static_cast<T>(n % 2 == 0 ? -value : value);
}

/// Hurwitz zeta function: sum of `(other + k) ** -self` over k = 0, 1, 2, ... Inputs are broadcast; integer and Bool
/// inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_zeta", "special_zeta.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_zeta(T self, T other) {
  return static_cast<T>(math::zeta(static_cast<double>(self), static_cast<double>(other)));
}

}  // namespace structured::kernels
