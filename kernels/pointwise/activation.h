// Activation functions.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <type_traits>

#include "math/exponential.h"
#include "math/standard_complex.h"
#include "pointwise/comparison.h"

namespace structured::kernels {

/// Rectified linear unit: `max(self, 0)`. NaN is propagated. Bool and complex inputs are not supported.
template <typename T>
[[structured::pointwise("relu", "relu_", "relu.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T relu(T self) {
  return self < T(0) ? T(0) : self;
}

/// Gradient of relu: 0 at 0.
template <typename T>
[[structured::backward("relu")]]
STRUCTURED_HOST_DEVICE T relu_backward(T grad, T out) {
  return out <= T(0) ? T(0) : grad;
}

/// Sigmoid linear unit: `self * sigmoid(self)`. Floating-point and complex dtypes only.
template <typename T>
[[structured::pointwise("silu", "silu_", "silu.out"), structured::dtypes("floating", "complex"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T silu(T self) {
  return self / math::one_plus_exp(-self);
}

/// Gradient of silu.
template <typename T>
[[structured::backward("silu")]]
STRUCTURED_HOST_DEVICE T silu_backward(T grad, T self) {
  const T gate = math::sigmoid(self);
  return grad * (gate * (T(1) + self * (T(1) - gate)));
}

/// Mish activation: `self * tanh(softplus(self))`.
///
/// Computed as `self * t / (t + 2)` with `t = exp(self) * (exp(self) + 2)`, which does not overflow because the
/// exponent is capped at 20. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("mish", "mish_", "mish.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T mish(T self) {
  // tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2), which rounds to 1 before e overflows.
  const T e = math::exp(self > T(20) ? T(20) : self);
  const T product = e * (e + T(2));
  return self * (product / (product + T(2)));
}

/// Exponential linear unit: `scale * self` where `self > 0`, `scale * alpha * (exp(input_scale * self) - 1)` elsewhere.
/// Floating-point dtypes only.
template <typename T>
[[structured::pointwise("elu", "elu_", "elu.out"), structured::dtypes("floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T elu(T self, [[structured::scalar("converts")]] T alpha = 1,
                             [[structured::scalar("converts")]] T scale = 1,
                             [[structured::scalar("converts")]] T input_scale = 1) {
  return self <= T(0) ? scale * alpha * math::expm1(self * input_scale) : self * scale;
}

/// Leaky rectified linear unit: `self` where `self > 0`, `negative_slope * self` elsewhere. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("leaky_relu", "leaky_relu_", "leaky_relu.out"), structured::dtypes("floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T leaky_relu(T self, [[structured::scalar("converts")]] T negative_slope = 0.01) {
  return self > T(0) ? self : self * negative_slope;
}

/// Thresholding: `self` where `self > threshold`, `value` elsewhere. NaN is propagated. Bool and complex inputs are not
/// supported.
template <typename T>
[[structured::pointwise("threshold", "threshold_", "threshold.out"), structured::dtypes("integral", "floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T replace_below(T self, [[structured::scalar("converts")]] T threshold,
                                       [[structured::scalar("converts")]] T value) {
  return self <= threshold ? value : self;
}

// Written out because the loop that is derived from two branches of dual numbers is not vectorised.
template <typename T>
[[structured::backward("threshold")]]
STRUCTURED_HOST_DEVICE T threshold_backward(T grad, T self, T threshold) {
  return self <= threshold ? T(0) : grad;
}

/// Softplus: `log(1 + exp(beta * self)) / beta`. Returns `self` where `beta * self > threshold`, where the two agree
/// within rounding. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("softplus", "softplus.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T softplus(T self, [[structured::scalar("converts")]] T beta = 1,
                                  [[structured::scalar("converts")]] T threshold = 20) {
  const T scaled = self * beta;
  return scaled > threshold ? self : math::log1p(math::exp(scaled)) / beta;
}

/// Returns `x + 3` clamped to [0, 6]. NaN is propagated.
template <typename T>
STRUCTURED_HOST_DEVICE T shifted_relu6(T x) {
  const T shifted = x + T(3);
  const T capped = shifted > T(6) ? T(6) : shifted;
  return capped < T(0) ? T(0) : capped;
}

/// Piecewise linear approximation of the sigmoid: `(self + 3) / 6` clamped to [0, 1]. NaN is propagated. Floating-point
/// dtypes only.
template <typename T>
[[structured::pointwise("hardsigmoid", "hardsigmoid_", "hardsigmoid.out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T hardsigmoid(T self) {
  return shifted_relu6(self) / T(6);
}

/// Piecewise approximation of SiLU: `self * hardsigmoid(self)`. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("hardswish", "hardswish_", "hardswish.out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T hardswish(T self) {
  return self * shifted_relu6(self) / T(6);
}

/// Gradient of hardswish: 0 up to -3, and 1 from 3 on.
template <typename T>
[[structured::backward("hardswish")]]
STRUCTURED_HOST_DEVICE T hardswish_backward(T grad, T self) {
  return self <= T(-3) ? T(0) : self < T(3) ? grad * (self / T(3) + T(0.5)) : grad;
}

/// Hard shrinkage: 0 where `-lambd <= self <= lambd`, `self` elsewhere. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("hardshrink", "hardshrink.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T hardshrink(T self, [[structured::scalar("converts")]] T lambd = 0.5) {
  return self >= -lambd && self <= lambd ? T(0) : self;
}

}  // namespace structured::kernels
