// Bessel functions of the first and second kind, and the Airy function Ai.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include "math/bessel.h"
#include "pointwise/bessel.h"

namespace structured::kernels {

/// Bessel function of the first kind of order 0, `J0(self)`. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_bessel_j0", "special_bessel_j0.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bessel_j0(T self) {
  return static_cast<T>(math::bessel_j(0, static_cast<double>(self)));
}

/// Bessel function of the first kind of order 1, `J1(self)`. Integer and Bool inputs are converted to the default
/// dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_bessel_j1", "special_bessel_j1.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bessel_j1(T self) {
  return static_cast<T>(math::bessel_j(1, static_cast<double>(self)));
}

/// Bessel function of the second kind of order 0, `Y0(self)`; NaN for negative numbers. Integer and Bool inputs are
/// converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_bessel_y0", "special_bessel_y0.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bessel_y0(T self) {
  return static_cast<T>(math::bessel_y(0, static_cast<double>(self)));
}

/// Bessel function of the second kind of order 1, `Y1(self)`; NaN for negative numbers. Integer and Bool inputs are
/// converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_bessel_y1", "special_bessel_y1.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bessel_y1(T self) {
  return static_cast<T>(math::bessel_y(1, static_cast<double>(self)));
}

/// Modified Bessel function of the first kind of order 0, `I0(self)`. Integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_modified_bessel_i0", "special_modified_bessel_i0.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T modified_bessel_i0(T self) {
  return static_cast<T>(i0<double>(static_cast<double>(self)));
}

/// Modified Bessel function of the first kind of order 1, `I1(self)`. Integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_modified_bessel_i1", "special_modified_bessel_i1.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T modified_bessel_i1(T self) {
  return static_cast<T>(special_i1<double>(static_cast<double>(self)));
}

/// Modified Bessel function of the second kind of order 0, `K0(self)`; NaN for negative numbers. Integer and Bool
/// inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_modified_bessel_k0", "special_modified_bessel_k0.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T modified_bessel_k0(T self) {
  return static_cast<T>(math::bessel_k(0, static_cast<double>(self), false));
}

/// Modified Bessel function of the second kind of order 1, `K1(self)`; NaN for negative numbers. Integer and Bool
/// inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_modified_bessel_k1", "special_modified_bessel_k1.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T modified_bessel_k1(T self) {
  return static_cast<T>(math::bessel_k(1, static_cast<double>(self), false));
}

/// Exponentially scaled modified Bessel function of the second kind of order 0: `exp(x) * K0(x)`; NaN for negative
/// numbers. Integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_scaled_modified_bessel_k0", "special_scaled_modified_bessel_k0.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T scaled_modified_bessel_k0(T x) {
  return static_cast<T>(math::bessel_k(0, static_cast<double>(x), true));
}

/// Exponentially scaled modified Bessel function of the second kind of order 1: `exp(x) * K1(x)`; NaN for negative
/// numbers. Integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_scaled_modified_bessel_k1", "special_scaled_modified_bessel_k1.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T scaled_modified_bessel_k1(T x) {
  return static_cast<T>(math::bessel_k(1, static_cast<double>(x), true));
}

/// Spherical Bessel function of the first kind of order 0: `sin(x) / x`, and 0 for infinity. Integer and Bool inputs
/// are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_spherical_bessel_j0", "special_spherical_bessel_j0.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T spherical_bessel_j0(T x) {
  return static_cast<T>(math::spherical_bessel_j0(static_cast<double>(x)));
}

/// Airy function `Ai(x)`. Integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_airy_ai", "special_airy_ai.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T airy_ai(T x) {
  return static_cast<T>(math::airy_ai(static_cast<double>(x)));
}

}  // namespace structured::kernels
