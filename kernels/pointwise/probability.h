// Entropy, xlog1py and logit. Integer and Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cmath>
#include <limits>
#include <optional>

#include "math/exponential.h"

namespace structured::kernels {

/// Elementwise entropy: `-self * log(self)`; 0 where `self` is 0, negative infinity where `self < 0`. Integer and Bool
/// inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_entr", "special_entr.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_entr(T self) {
  const T inside = self == T(0) ? T(0) : -self * math::log(self);
  return self < T(0) ? -std::numeric_limits<T>::infinity() : inside;
}

/// Gradient of special_entr.
template <typename T>
[[structured::backward("special_entr")]]
STRUCTURED_HOST_DEVICE T special_entr_backward(T grad, T self) {
  return grad * (-math::log(self) - T(1));
}

/// Elementwise `self * log(1 + other)`; 0 where `self` is 0 and `other` is not NaN. Inputs are broadcast; integer and
/// Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_xlog1py", "special_xlog1py.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py(T self, T other) {
  if (other != other) return other;
  return self == T(0) ? T(0) : self * std::log1p(other);
}

/// Elementwise `self * log(1 + other)` with a scalar `self`; 0 where `self` is 0 and `other` is not NaN. Integer and
/// Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_xlog1py.self_scalar", "special_xlog1py.self_scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_scalar_self([[structured::scalar("promotes")]] T self, T other) {
  return special_xlog1py<T>(self, other);
}

/// Elementwise `self * log(1 + other)` with a scalar `other`; 0 where `self` is 0 and `other` is not NaN. Integer and
/// Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_xlog1py.other_scalar", "special_xlog1py.other_scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return special_xlog1py<T>(self, other);
}

/// Gradient of special_xlog1py for `self`: 0 where `self` is 0 and the logarithm is not finite.
template <typename T>
[[structured::backward("special_xlog1py", "self"), structured::backward("special_xlog1py.other_scalar")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_self(T grad, T self, T other) {
  return self == T(0) && other <= T(-1) ? T(0) : grad * math::log1p(other);
}

/// Gradient of special_xlog1py for `other`.
template <typename T>
[[structured::backward("special_xlog1py", "other"), structured::backward("special_xlog1py.self_scalar")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_other(T grad, T self, T other) {
  return grad * (self / (other + T(1)));
}

/// The bound in `T`, infinite if it is greater than all numbers of `T`.
template <typename T>
STRUCTURED_HOST_DEVICE T converted_bound(double bound) {
  constexpr double greatest = std::numeric_limits<T>::max();
  if (bound > greatest) return std::numeric_limits<T>::infinity();
  return bound < -greatest ? -std::numeric_limits<T>::infinity() : static_cast<T>(bound);
}

/// Logit, the inverse of the sigmoid: `log(self / (1 - self))`. With `eps`, `self` is first clamped to [`eps`, 1 -
/// `eps`]; without it, values outside [0, 1] give NaN. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("logit", "logit_", "logit.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T logit(T self, std::optional<double> eps = std::nullopt) {
  const T low = eps ? converted_bound<T>(*eps) : -std::numeric_limits<T>::infinity();
  const T high = eps ? T(1) - low : std::numeric_limits<T>::infinity();
  const T x = self < low ? low : self > high ? high : self;
  return math::log(x / (T(1) - x));
}

/// Gradient of logit: 0 for clamped elements; without `eps`, NaN outside [0, 1].
template <typename T>
[[structured::backward("logit")]]
STRUCTURED_HOST_DEVICE T logit_backward(T grad, T self, std::optional<double> eps) {
  const T low = eps ? converted_bound<T>(*eps) : T(0);
  const T outside = eps ? T(0) : T(std::numeric_limits<T>::quiet_NaN());
  return self >= low && self <= T(1) - low ? grad / (self * (T(1) - self)) : outside;
}

}  // namespace structured::kernels
