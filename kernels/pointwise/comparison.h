// Comparisons and tests of elements, which return Bool, and signs.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "math/extrema.h"

namespace structured::kernels {

/// Elementwise equality: `self == other`. Inputs are broadcast and promoted to a common dtype. Returns Bool; NaN equals
/// nothing.
template <typename T>
[[structured::pointwise("eq.Tensor", "eq_.Tensor", "eq.Tensor_out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool eq(T self, T other) {
  return self == other;
}

/// Elementwise equality with a scalar: `self == other`. Returns Bool; NaN equals nothing.
template <typename T>
[[structured::pointwise("eq.Scalar", "eq_.Scalar", "eq.Scalar_out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool eq_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self == other;
}

/// Elementwise inequality: `self != other`. Inputs are broadcast and promoted to a common dtype. Returns Bool; NaN
/// differs from everything.
template <typename T>
[[structured::pointwise("ne.Tensor", "ne_.Tensor", "ne.Tensor_out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool ne(T self, T other) {
  return self != other;
}

/// Elementwise inequality with a scalar: `self != other`. Returns Bool; NaN differs from everything.
template <typename T>
[[structured::pointwise("ne.Scalar", "ne_.Scalar", "ne.Scalar_out"), structured::promote("bool"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool ne_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self != other;
}

/// Elementwise comparison `self >= other`. Inputs are broadcast and promoted to a common dtype. Returns Bool;
/// comparisons with NaN are false. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("ge.Tensor", "ge_.Tensor", "ge.Tensor_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool ge(T self, T other) {
  return self >= other;
}

/// Elementwise comparison with a scalar: `self >= other`. Returns Bool; comparisons with NaN are false. Complex inputs
/// are not supported.
template <typename T>
[[structured::pointwise("ge.Scalar", "ge_.Scalar", "ge.Scalar_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool ge_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self >= other;
}

/// Elementwise comparison `self > other`. Inputs are broadcast and promoted to a common dtype. Returns Bool;
/// comparisons with NaN are false. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("gt.Tensor", "gt_.Tensor", "gt.Tensor_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool gt(T self, T other) {
  return self > other;
}

/// Elementwise comparison with a scalar: `self > other`. Returns Bool; comparisons with NaN are false. Complex inputs
/// are not supported.
template <typename T>
[[structured::pointwise("gt.Scalar", "gt_.Scalar", "gt.Scalar_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool gt_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self > other;
}

/// Elementwise comparison `self <= other`. Inputs are broadcast and promoted to a common dtype. Returns Bool;
/// comparisons with NaN are false. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("le.Tensor", "le_.Tensor", "le.Tensor_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool le(T self, T other) {
  return self <= other;
}

/// Elementwise comparison with a scalar: `self <= other`. Returns Bool; comparisons with NaN are false. Complex inputs
/// are not supported.
template <typename T>
[[structured::pointwise("le.Scalar", "le_.Scalar", "le.Scalar_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool le_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self <= other;
}

/// Elementwise comparison `self < other`. Inputs are broadcast and promoted to a common dtype. Returns Bool;
/// comparisons with NaN are false. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("lt.Tensor", "lt_.Tensor", "lt.Tensor_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool lt(T self, T other) {
  return self < other;
}

/// Elementwise comparison with a scalar: `self < other`. Returns Bool; comparisons with NaN are false. Complex inputs
/// are not supported.
template <typename T>
[[structured::pointwise("lt.Scalar", "lt_.Scalar", "lt.Scalar_out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool lt_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self < other;
}

/// Whether each element is NaN; a complex number is NaN if either part is. Returns Bool.
template <typename T>
[[structured::pointwise("isnan", "isnan.out"), structured::promote("bool"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool isnan(T self) {
  if constexpr (is_complex_v<T>) {
    return is_nan(self.real()) || is_nan(self.imag());
  } else {
    return is_nan(self);
  }
}

/// Whether each element is infinite; a complex number is infinite if either part is. Returns Bool.
template <typename T>
[[structured::pointwise("isinf", "isinf.out"), structured::promote("bool"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE bool isinf(T self) {
  if constexpr (is_complex_v<T>) {
    return isinf<typename T::value_type>(self.real()) || isinf<typename T::value_type>(self.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(self) == std::numeric_limits<T>::infinity();
  } else {
    return false;
  }
}

/// Whether the sign bit of each element is set, which includes -0.0. Returns Bool. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("signbit", "signbit.out"), structured::promote("bool"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE bool signbit(T self) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::copysign(T(1), self) < T(0);
  } else {
    return self < T(0);
  }
}

/// Sign of each element: -1, 0 or 1, and 0 for NaN. Bool is returned unchanged. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("sign", "sign_", "sign.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sign(T self) {
  if constexpr (std::is_same_v<T, bool>) {
    return self;
  } else {
    return static_cast<T>((self > T(0)) - (self < T(0)));
  }
}

/// Sign of each element: `self / |self|` for complex numbers, -1, 0 or 1 for real ones. Returns 0 where `self` is 0.
template <typename T>
[[structured::pointwise("sgn", "sgn_", "sgn.out"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T sgn(T self) {
  if constexpr (is_complex_v<T>) {
    const auto size = std::hypot(self.real(), self.imag());
    return size == 0 ? T(0) : T(self.real() / size, self.imag() / size);
  } else {
    return sign<T>(self);
  }
}

}  // namespace structured::kernels
