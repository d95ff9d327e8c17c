// Logarithms as probabilities need them. Integers give the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <cmath>
#include <limits>
#include <optional>

#include "math/exponential.h"

namespace structured::kernels {

/// `-self * log(self)`, 0 at 0, and minus infinity below.
template <typename T>
[[structured::pointwise("special_entr", "special_entr.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_entr(T self) {
  const T inside = self == T(0) ? T(0) : -self * math::log(self);
  return self < T(0) ? -std::numeric_limits<T>::infinity() : inside;
}

/// `self * log(1 + other)`, 0 where `self` is 0 unless `other` is NaN.
template <typename T>
[[structured::pointwise("special_xlog1py", "special_xlog1py.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py(T self, T other) {
  if (other != other) return other;
  return self == T(0) ? T(0) : self * std::log1p(other);
}

/// The same of a number.
template <typename T>
[[structured::pointwise("special_xlog1py.self_scalar", "special_xlog1py.self_scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_of_number([[structured::scalar("promotes")]] T self, T other) {
  return special_xlog1py<T>(self, other);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("special_xlog1py.other_scalar", "special_xlog1py.other_scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_xlog1py_number(T self, [[structured::scalar("promotes")]] T other) {
  return special_xlog1py<T>(self, other);
}

/// `log(self / (1 - self))`. With `eps`, what is outside of the range from there to `1 - eps` is moved to its ends
/// first; without, what is outside of 0 to 1 gives NaN.
template <typename T>
[[structured::pointwise("logit", "logit_", "logit.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T logit(T self, std::optional<double> eps = std::nullopt) {
  const T low = eps ? static_cast<T>(*eps) : -std::numeric_limits<T>::infinity();
  const T high = eps ? T(1) - low : std::numeric_limits<T>::infinity();
  const T x = self < low ? low : self > high ? high : self;
  return math::log(x / (T(1) - x));
}

}  // namespace structured::kernels
