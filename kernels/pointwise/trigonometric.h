// Trigonometric functions and their inverses. Integers give the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/complex.h>
#include <structured/core/export.h>

#include <cmath>

#include "math/standard.h"

namespace structured::kernels {

/// The sine.
template <typename T>
[[structured::pointwise("sin", "sin_", "sin.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sin(T self) {
  return math::standard(self, [](const auto& x) {
    using std::sin;
    return sin(x);
  });
}

/// The cosine.
template <typename T>
[[structured::pointwise("cos", "cos_", "cos.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T cos(T self) {
  return math::standard(self, [](const auto& x) {
    using std::cos;
    return cos(x);
  });
}

/// The tangent.
template <typename T>
[[structured::pointwise("tan", "tan_", "tan.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T tan(T self) {
  return math::standard(self, [](const auto& x) {
    using std::tan;
    return tan(x);
  });
}

/// The inverse of sin.
template <typename T>
[[structured::pointwise("asin", "asin_", "asin.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T asin(T self) {
  return math::standard(self, [](const auto& x) {
    using std::asin;
    return asin(x);
  });
}

/// The inverse of cos.
template <typename T>
[[structured::pointwise("acos", "acos_", "acos.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T acos(T self) {
  return math::standard(self, [](const auto& x) {
    using std::acos;
    return acos(x);
  });
}

/// The inverse of tan.
template <typename T>
[[structured::pointwise("atan", "atan_", "atan.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T atan(T self) {
  return math::standard(self, [](const auto& x) {
    using std::atan;
    return atan(x);
  });
}

/// The angle of the point (`other`, `self`).
template <typename T>
[[structured::pointwise("atan2", "atan2_", "atan2.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T atan2(T self, T other) {
  return std::atan2(self, other);
}

/// `sin(pi * self) / (pi * self)`, and 1 at 0.
template <typename T>
[[structured::pointwise("sinc", "sinc_", "sinc.out"), structured::promote("int_to_float"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T sinc(T self) {
  if (self == T(0)) return T(1);
  const T product = T(3.14159265358979323846264338327950288L) * self;
  return sin<T>(product) / product;
}

}  // namespace structured::kernels
