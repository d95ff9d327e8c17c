// Trigonometric functions, their inverses and sinc. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>

#include "math/standard_complex.h"

namespace structured::kernels {

/// Elementwise sine of angles in radians. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("sin", "sin_", "sin.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sin(T self) {
  return math::standard(self, [](const auto& x) {
    using std::sin;
    return sin(x);
  });
}

/// Elementwise cosine of angles in radians. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("cos", "cos_", "cos.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T cos(T self) {
  return math::standard(self, [](const auto& x) {
    using std::cos;
    return cos(x);
  });
}

/// Elementwise tangent of angles in radians. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("tan", "tan_", "tan.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T tan(T self) {
  return math::standard(self, [](const auto& x) {
    using std::tan;
    return tan(x);
  });
}

/// Elementwise arcsine in radians; NaN for real numbers outside [-1, 1]. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("asin", "asin_", "asin.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T asin(T self) {
  return math::standard(self, [](const auto& x) {
    using std::asin;
    return asin(x);
  });
}

/// Elementwise arccosine in radians; NaN for real numbers outside [-1, 1]. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("acos", "acos_", "acos.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T acos(T self) {
  return math::standard(self, [](const auto& x) {
    using std::acos;
    return acos(x);
  });
}

/// Elementwise arctangent in radians. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("atan", "atan_", "atan.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T atan(T self) {
  return math::standard(self, [](const auto& x) {
    using std::atan;
    return atan(x);
  });
}

/// Elementwise angle in radians, in [-pi, pi], between the positive x-axis and the point (`other`, `self`). Inputs are
/// broadcast; integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("atan2", "atan2_", "atan2.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T atan2(T self, T other) {
  return math::atan2(self, other);
}

/// Normalised sinc: `sin(pi * self) / (pi * self)`, and 1 where `self` is 0. Integer and Bool inputs are converted to
/// the default dtype.
template <typename T>
[[structured::pointwise("sinc", "sinc_", "sinc.out"), structured::promote("int_to_float"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T sinc(T self) {
  if (self == T(0)) return T(1);
  const T product = T(3.14159265358979323846264338327950288L) * self;
  return sin<T>(product) / product;
}

}  // namespace structured::kernels
