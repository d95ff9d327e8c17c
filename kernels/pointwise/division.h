// Floor division and remainders. Division of an integer by 0 is an error.
#pragma once

#include <structured/annotate.h>
#include <structured/base/error.h>
#include <structured/base/export.h>

#include <cmath>
#include <type_traits>

#include "math/standard.h"
#include "pointwise/arithmetic.h"

namespace structured::kernels {

template <typename T>
STRUCTURED_HOST_DEVICE void check_divisor(T divisor) {
#ifndef __CUDA_ARCH__
  STRUCTURED_CHECK(divisor != 0, "division of an integer by zero");
#endif
}

/// Returns the quotient rounded towards 0.
template <typename T>
STRUCTURED_HOST_DEVICE T truncated_quotient(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::trunc(a / b);
  } else {
    check_divisor(b);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return neg<T>(a);  // the most negative integer has no negation
    return static_cast<T>(a / b);
  }
}

/// Returns the remainder of a quotient of real numbers rounded towards 0.
template <typename T>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T real_fmod(T a, T b) {
  return math::fmod(a, b);
}

/// Returns the quotient rounded down.
template <typename T>
STRUCTURED_HOST_DEVICE T floored_quotient(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (b == T(0)) return a / b;
    const T rest = real_fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != T(0) && (b < T(0)) != (rest < T(0))) quotient -= T(1);
    if (quotient == T(0)) return std::copysign(T(0), a / b);
    const T floor = std::floor(quotient);
    return quotient - floor > T(0.5) ? floor + T(1) : floor;
  } else {
    const T quotient = truncated_quotient(a, b);
    const bool is_below = std::is_signed_v<T> && b != static_cast<T>(-1) && a % b != 0 && (a < 0) != (b < 0);
    return static_cast<T>(quotient - is_below);
  }
}

/// Elementwise quotient rounded down: `floor(self / other)`. Inputs are broadcast and promoted to a common dtype.
/// Division of an integer by 0 is an error.
template <typename T>
[[structured::pointwise("floor_divide", "floor_divide_.Tensor", "floor_divide.out"),
  structured::dtypes("integral", "floating"), structured::not_differentiable, structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T floor_divide(T self, T other) {
  return floored_quotient<T>(self, other);
}

/// Elementwise remainder of division truncated towards 0: `self - trunc(self / other) * other`, with the sign of
/// `self`. Inputs are broadcast and promoted to a common dtype. Division of an integer by 0 is an error.
template <typename T>
[[structured::pointwise("fmod.Tensor", "fmod_.Tensor", "fmod.Tensor_out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmod(T self, T other) {
  if constexpr (is_floating_point_v<T>) {
    return real_fmod(self, other);
  } else {
    check_divisor(other);
    if (std::is_signed_v<T> && other == static_cast<T>(-1)) return 0;
    return static_cast<T>(self % other);
  }
}

/// Elementwise remainder of division by a scalar, truncated towards 0: `self - trunc(self / other) * other`, with the
/// sign of `self`. Division of an integer by 0 is an error. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("fmod.Scalar", "fmod_.Scalar", "fmod.Scalar_out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmod_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return fmod<T>(self, other);
}

/// Elementwise remainder of floor division: `self - floor(self / other) * other`, with the sign of `other`. Inputs are
/// broadcast and promoted to a common dtype. Division of an integer by 0 is an error.
template <typename T>
[[structured::pointwise("remainder.Tensor", "remainder_.Tensor", "remainder.Tensor_out"),
  structured::dtypes("integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T remainder(T self, T other) {
  const T rest = fmod<T>(self, other);
  return rest != T(0) && (rest < T(0)) != (other < T(0)) ? static_cast<T>(rest + other) : rest;
}

/// Elementwise remainder of floor division by a scalar: `self - floor(self / other) * other`, with the sign of `other`.
/// Division of an integer by 0 is an error. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("remainder.Scalar", "remainder_.Scalar", "remainder.Scalar_out"),
  structured::dtypes("integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T remainder_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return remainder<T>(self, other);
}

/// Elementwise remainder of floor division of a scalar by a tensor: `self - floor(self / other) * other`, with the sign
/// of `other`. Division of an integer by 0 is an error. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("remainder.Scalar_Tensor", "remainder.Scalar_Tensor_out"),
  structured::dtypes("integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T remainder_scalar_self([[structured::scalar("promotes")]] T self, T other) {
  return remainder<T>(self, other);
}

}  // namespace structured::kernels
