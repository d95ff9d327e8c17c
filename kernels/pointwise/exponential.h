// Exponentials, logarithms and roots. Integers give the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/core/complex.h>
#include <structured/core/export.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "math/exponential.h"
#include "math/standard.h"

namespace structured::kernels {

/// e to the power of `self`.
template <typename T>
[[structured::pointwise("exp", "exp_", "exp.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T exp(T self) {
  return math::exp(self);
}

/// `exp(self) - 1`, accurate near 0. Of real numbers.
template <typename T>
[[structured::pointwise("expm1", "expm1_", "expm1.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T expm1(T self) {
  return math::expm1(self);
}

/// 2 to the power of `self`. Of real numbers.
template <typename T>
[[structured::pointwise("exp2", "exp2_", "exp2.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T exp2(T self) {
  return std::exp2(self);
}

/// The natural logarithm; NaN below 0.
template <typename T>
[[structured::pointwise("log", "log_", "log.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log(T self) {
  return math::log(self);
}

/// The logarithm to base 10.
template <typename T>
[[structured::pointwise("log10", "log10_", "log10.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log10(T self) {
  return math::standard(self, [](const auto& x) {
    using std::log10;
    return log10(x);
  });
}

/// The logarithm to base 2.
template <typename T>
[[structured::pointwise("log2", "log2_", "log2.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log2(T self) {
  if constexpr (is_complex_v<T>) {
    const T natural = math::log(self);
    constexpr auto ln2 = static_cast<typename T::value_type>(0.693147180559945309417232121458176568L);
    return T(natural.real() / ln2, natural.imag() / ln2);  // infinite parts leave each other alone
  } else {
    return std::log2(self);
  }
}

/// `log(1 + self)`, accurate near 0. Of real numbers.
template <typename T>
[[structured::pointwise("log1p", "log1p_", "log1p.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log1p(T self) {
  return std::log1p(self);
}

/// The square root; NaN below 0.
template <typename T>
[[structured::pointwise("sqrt", "sqrt_", "sqrt.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sqrt(T self) {
  return math::standard(self, [](const auto& x) {
    using std::sqrt;
    return sqrt(x);
  });
}

/// `1 / sqrt(self)`.
template <typename T>
[[structured::pointwise("rsqrt", "rsqrt_", "rsqrt.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T rsqrt(T self) {
  return T(1) / sqrt<T>(self);
}

/// `log(exp(self) + exp(other))` without overflow. Floating numbers only.
template <typename T>
[[structured::pointwise("logaddexp", "logaddexp.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T logaddexp(T self, T other) {
  const T greater = self > other ? self : other;
  const T distance = std::fabs(self - other);
  // Two equal infinities have no distance.
  return std::fabs(self) == std::numeric_limits<T>::infinity() && self == other
             ? self
             : greater + std::log1p(math::exp(-distance)) + (self != self ? self : T(0));
}

/// The same for powers of 2.
template <typename T>
[[structured::pointwise("logaddexp2", "logaddexp2.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T logaddexp2(T self, T other) {
  const T greater = self > other ? self : other;
  const T distance = std::fabs(self - other);
  constexpr T per_two = T(1.44269504088896340735992468100189214L);
  return std::fabs(self) == std::numeric_limits<T>::infinity() && self == other
             ? self
             : greater + std::log1p(std::exp2(-distance)) * per_two + (self != self ? self : T(0));
}

/// `self * log(other)`, and 0 where `self` is 0 and `other` is a number.
template <typename T>
[[structured::pointwise("xlogy.Tensor", "xlogy_.Tensor", "xlogy.OutTensor"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy(T self, T other) {
  return other != other ? other : self == T(0) ? T(0) : self * math::log(other);
}

/// The same of a number.
template <typename T>
[[structured::pointwise("xlogy.Scalar_Self", "xlogy.OutScalar_Self"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy_of_number([[structured::scalar("promotes")]] T self, T other) {
  return xlogy<T>(self, other);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("xlogy.Scalar_Other", "xlogy_.Scalar_Other", "xlogy.OutScalar_Other"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy_number(T self, [[structured::scalar("promotes")]] T other) {
  return xlogy<T>(self, other);
}

/// The length of the hypotenuse, without overflow. Floating numbers only.
template <typename T>
[[structured::pointwise("hypot", "hypot_", "hypot.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T hypot(T self, T other) {
  return std::hypot(self, other);
}

}  // namespace structured::kernels
