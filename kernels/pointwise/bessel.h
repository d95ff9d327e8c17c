// Modified Bessel functions of the first kind. Integers give the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <cmath>

#include "math/special.h"

namespace structured::kernels {

/// The modified Bessel function of order 0.
template <typename T>
[[structured::pointwise("i0", "i0_", "i0.out"), structured::promote("int_to_float"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T i0(T self) {
  const double x = static_cast<double>(self);
  return static_cast<T>(std::exp(std::fabs(x)) * math::scaled_bessel_i(0, x));
}

/// `exp(-abs(self))` times the modified Bessel function of order 0.
template <typename T>
[[structured::pointwise("special_i0e", "special_i0e.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i0e(T self) {
  return static_cast<T>(math::scaled_bessel_i(0, static_cast<double>(self)));
}

/// The modified Bessel function of order 1.
template <typename T>
[[structured::pointwise("special_i1", "special_i1.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i1(T self) {
  const double x = static_cast<double>(self);
  return static_cast<T>(std::exp(std::fabs(x)) * math::scaled_bessel_i(1, x));
}

/// `exp(-abs(self))` times the modified Bessel function of order 1.
template <typename T>
[[structured::pointwise("special_i1e", "special_i1e.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i1e(T self) {
  return static_cast<T>(math::scaled_bessel_i(1, static_cast<double>(self)));
}

}  // namespace structured::kernels
