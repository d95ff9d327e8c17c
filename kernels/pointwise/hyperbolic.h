// Hyperbolic functions and their inverses. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>

#include "math/exponential.h"
#include "math/standard_complex.h"

namespace structured::kernels {

/// Elementwise hyperbolic sine. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("sinh", "sinh_", "sinh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sinh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::sinh;
    return sinh(x);
  });
}

/// Elementwise hyperbolic cosine. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("cosh", "cosh_", "cosh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T cosh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::cosh;
    return cosh(x);
  });
}

/// Elementwise inverse hyperbolic sine. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("asinh", "asinh_", "asinh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T asinh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::asinh;
    return asinh(x);
  });
}

/// Elementwise inverse hyperbolic cosine; NaN for real numbers less than 1. Integer and Bool inputs are converted to
/// the default dtype.
template <typename T>
[[structured::pointwise("acosh", "acosh_", "acosh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T acosh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::acosh;
    return acosh(x);
  });
}

/// Elementwise inverse hyperbolic tangent; NaN for real numbers outside [-1, 1]. Integer and Bool inputs are converted
/// to the default dtype.
template <typename T>
[[structured::pointwise("atanh", "atanh_", "atanh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T atanh(T self) {
  return math::standard(self, [](const auto& x) {
    using std::atanh;
    return atanh(x);
  });
}

/// Elementwise hyperbolic tangent. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("tanh", "tanh_", "tanh.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T tanh(T self) {
  return math::tanh(self);
}

}  // namespace structured::kernels
