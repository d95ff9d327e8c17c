// Regularized incomplete gamma functions.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include "math/incomplete_gamma.h"

namespace structured::kernels {

/// Regularized lower incomplete gamma function `P(self, other)`: the integral of `t^(self - 1) * exp(-t)` from 0 to
/// `other`, divided by the gamma function of `self`. NaN for negative arguments. Inputs are broadcast and promoted to a
/// common dtype. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("igamma", "igamma_", "igamma.out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T igamma(T self, T other) {
  return static_cast<T>(math::incomplete_gamma(static_cast<double>(self), static_cast<double>(other), false));
}

/// Regularized upper incomplete gamma function `1 - P(self, other)`: the integral of `t^(self - 1) * exp(-t)` from
/// `other` to infinity, divided by the gamma function of `self`. NaN for negative arguments. Inputs are broadcast and
/// promoted to a common dtype. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("igammac", "igammac_", "igammac.out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T igammac(T self, T other) {
  return static_cast<T>(math::incomplete_gamma(static_cast<double>(self), static_cast<double>(other), true));
}

}  // namespace structured::kernels
