// Conversion between degrees and radians, the angle of real numbers, and tests for infinities.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <limits>
#include <type_traits>

namespace structured::kernels {

/// Converts degrees to radians: `self * pi / 180`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("deg2rad", "deg2rad_", "deg2rad.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T deg2rad(T self) {
  return self * T(0.017453292519943295769236907684886127134L);
}

/// Converts radians to degrees: `self * 180 / pi`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("rad2deg", "rad2deg_", "rad2deg.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T rad2deg(T self) {
  return self * T(57.295779513082320876798154814105170332L);
}

/// Returns the argument of a real number in the complex plane: 0, or pi where `self < 0`. NaN is propagated.
template <typename T>
STRUCTURED_HOST_DEVICE T angle(T self) {
  const T pi = T(3.1415926535897932384626433832795028842L);
  return self != self ? self : self < T(0) ? pi : T(0);
}

/// Whether each element is positive infinity. Returns Bool. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("isposinf", "isposinf.out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE bool isposinf(T self) {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return self == std::numeric_limits<T>::infinity();
  } else {
    return false;
  }
}

/// Whether each element is negative infinity. Returns Bool. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("isneginf", "isneginf.out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE bool isneginf(T self) {
  if constexpr (std::numeric_limits<T>::has_infinity) {
    return self == -std::numeric_limits<T>::infinity();
  } else {
    return false;
  }
}

}  // namespace structured::kernels
