// Error function, log-gamma and sigmoid. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cmath>

#include "math/exponential.h"
#include "math/standard_complex.h"

namespace structured::kernels {

/// Error function. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("erf", "erf_", "erf.out"), structured::promote("int_to_float"), structured::dtypes("floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T erf(T self) {
  return math::erf(self);
}

/// Complementary error function, `1 - erf(self)`, accurate for large `self`. Integer and Bool inputs are converted to
/// the default dtype.
template <typename T>
[[structured::pointwise("erfc", "erfc_", "erfc.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T erfc(T self) {
  return math::erfc(self);
}

/// Logarithm of the absolute value of the gamma function. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("lgamma", "lgamma_", "lgamma.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T lgamma(T self) {
  return std::lgamma(self);
}

/// Logistic sigmoid: `1 / (1 + exp(-self))`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("sigmoid", "sigmoid_", "sigmoid.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sigmoid(T self) {
  return math::sigmoid(self);
}

}  // namespace structured::kernels
