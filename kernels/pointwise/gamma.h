// Derivatives of the gamma function's logarithm, and Hurwitz' zeta function, which they are made of. Integers give the
// default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/error.h>
#include <structured/core/export.h>

#include <cmath>
#include <cstdint>

#include "math/special.h"

namespace structured::kernels {

/// The derivative of the logarithm of the gamma function.
template <typename T>
[[structured::pointwise("digamma", "digamma_", "digamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T digamma(T self) {
  return static_cast<T>(math::digamma(static_cast<double>(self)));
}

/// The derivative number `n` of digamma.
template <typename T>
[[structured::pointwise("polygamma", "polygamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T polygamma(int64_t n, T self) {
#ifndef __CUDA_ARCH__
  STRUCTURED_CHECK(n >= 0, "polygamma: expected `n` not to be negative, got ", n);
#endif
  const double x = static_cast<double>(self);
  if (n == 0) return static_cast<T>(math::digamma(x));
  const double order = static_cast<double>(n);
  const double value = std::exp(std::lgamma(order + 1)) * math::zeta(order + 1, x);
  return static_cast<T>(n % 2 == 0 ? -value : value);
}

/// The sum of `(other + k) ^ -self` over all k >= 0.
template <typename T>
[[structured::pointwise("special_zeta", "special_zeta.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_zeta(T self, T other) {
  return static_cast<T>(math::zeta(static_cast<double>(self), static_cast<double>(other)));
}

}  // namespace structured::kernels
