// Special functions of real numbers. Integers give the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <cmath>

#include "math/exponential.h"

namespace structured::kernels {

/// The error function.
template <typename T>
[[structured::pointwise("erf", "erf_", "erf.out"), structured::promote("int_to_float"), structured::dtypes("floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T erf(T self) {
  return math::erf(self);
}

/// `1 - erf(self)`, accurate where that is small.
template <typename T>
[[structured::pointwise("erfc", "erfc_", "erfc.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T erfc(T self) {
  return std::erfc(self);
}

/// The logarithm of the magnitude of the gamma function.
template <typename T>
[[structured::pointwise("lgamma", "lgamma_", "lgamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T lgamma(T self) {
  return std::lgamma(self);
}

/// `1 / (1 + exp(-self))`.
template <typename T>
[[structured::pointwise("sigmoid", "sigmoid_", "sigmoid.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sigmoid(T self) {
  return math::sigmoid(self);
}

}  // namespace structured::kernels
