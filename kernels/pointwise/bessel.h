// Modified Bessel functions of the first kind. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include "math/special.h"

namespace structured::kernels {

/// Modified Bessel function of the first kind of order 0, `I0(self)`. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("i0", "i0_", "i0.out"), structured::promote("int_to_float"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T i0(T self) {
  return static_cast<T>(math::bessel_i(0, static_cast<double>(self)));
}

/// Exponentially scaled modified Bessel function of the first kind of order 0: `exp(-|self|) * I0(self)`. Integer and
/// Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_i0e", "special_i0e.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i0e(T self) {
  return static_cast<T>(math::scaled_bessel_i(0, static_cast<double>(self)));
}

/// Modified Bessel function of the first kind of order 1, `I1(self)`. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("special_i1", "special_i1.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i1(T self) {
  return static_cast<T>(math::bessel_i(1, static_cast<double>(self)));
}

/// Exponentially scaled modified Bessel function of the first kind of order 1: `exp(-|self|) * I1(self)`. Integer and
/// Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_i1e", "special_i1e.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_i1e(T self) {
  return static_cast<T>(math::scaled_bessel_i(1, static_cast<double>(self)));
}

}  // namespace structured::kernels
