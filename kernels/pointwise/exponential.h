// Exponentials, logarithms and roots. Integer and Bool inputs are converted to the default dtype unless stated
// otherwise.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "math/exponential.h"
#include "math/scaling.h"
#include "math/standard_complex.h"

namespace structured::kernels {

/// Returns the complex conjugate; real numbers are their own.
template <typename T>
STRUCTURED_HOST_DEVICE T conjugate(T x) {
  if constexpr (is_complex_v<T>) {
    return T(x.real(), -x.imag());
  } else {
    return x;
  }
}

/// Elementwise exponential: `e ** self`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("exp", "exp_", "exp.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T exp(T self) {
  return math::exp(self);
}

/// Elementwise `exp(self) - 1`, accurate for `self` near 0. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("expm1", "expm1_", "expm1.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T expm1(T self) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const Part sine = std::sin(self.imag() / Part(2));
    const Part cosine = Part(1) - Part(2) * sine * sine;
    return T(math::expm1(self.real()) * cosine - Part(2) * sine * sine, math::exp(self.real()) * std::sin(self.imag()));
  } else {
    return math::expm1(self);
  }
}

/// Elementwise power of two: `2 ** self`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("exp2", "exp2_", "exp2.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T exp2(T self) {
  if constexpr (is_complex_v<T>) {
    constexpr auto ln2 = static_cast<typename T::value_type>(0.693147180559945309417232121458176568L);
    return math::exp(T(self.real() * ln2, self.imag() * ln2));
  } else {
    return std::exp2(self);
  }
}

/// Gradient of exp2.
template <typename T>
[[structured::backward("exp2")]]
STRUCTURED_HOST_DEVICE T exp2_backward(T grad, T out) {
  return grad * conjugate(out * T(0.693147180559945309417232121458176568L));
}

/// Elementwise product `self * 2 ** other`, rounded once where `other` is an integer, although `2 ** other` may be out
/// of range. Inputs are broadcast and promoted to a common dtype; integer and Bool inputs give the default dtype.
template <typename T>
[[structured::pointwise("ldexp.Tensor", "ldexp_", "ldexp.out"), structured::promote("int_to_float"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T ldexp(T self, T other) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const T turned = other.imag() == Part(0) ? self : self * exp2<T>(T(Part(0), other.imag()));
    return T(math::ldexp(turned.real(), other.real()), math::ldexp(turned.imag(), other.real()));
  } else {
    return math::ldexp(self, other);
  }
}

/// Elementwise natural logarithm; NaN for negative real numbers. Integer and Bool inputs are converted to the default
/// dtype.
template <typename T>
[[structured::pointwise("log", "log_", "log.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log(T self) {
  return math::log(self);
}

/// Elementwise logarithm to base 10; NaN for negative real numbers. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("log10", "log10_", "log10.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log10(T self) {
  return math::standard(self, [](const auto& x) {
    using std::log10;
    return log10(x);
  });
}

/// Elementwise logarithm to base 2; NaN for negative real numbers. Integer and Bool inputs are converted to the default
/// dtype.
template <typename T>
[[structured::pointwise("log2", "log2_", "log2.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log2(T self) {
  if constexpr (is_complex_v<T>) {
    const T natural = math::log(self);
    constexpr auto ln2 = static_cast<typename T::value_type>(0.693147180559945309417232121458176568L);
    return T(natural.real() / ln2, natural.imag() / ln2);  // complex division would give NaN for infinities
  } else {
    return std::log2(self);
  }
}

/// Elementwise `log(1 + self)`, accurate for `self` near 0. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("log1p", "log1p_", "log1p.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T log1p(T self) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const Part x = self.real();
    const Part y = self.imag();
    // Half the logarithm of |1 + self|^2, which differs from 1 by little near 0.
    const bool is_small = std::fabs(x) < Part(0.5) && std::fabs(y) < Part(0.5);
    const Part magnitude =
        is_small ? std::log1p(x * (Part(2) + x) + y * y) / Part(2) : math::log(std::hypot(Part(1) + x, y));
    return T(magnitude, std::atan2(y, Part(1) + x));
  } else {
    return math::log1p(self);
  }
}

/// Gradient of log1p.
template <typename T>
[[structured::backward("log1p")]]
STRUCTURED_HOST_DEVICE T log1p_backward(T grad, T self) {
  return grad / conjugate(self + T(1));
}

/// Elementwise square root; NaN for negative real numbers. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("sqrt", "sqrt_", "sqrt.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T sqrt(T self) {
  return math::standard(self, [](const auto& x) {
    using std::sqrt;
    return sqrt(x);
  });
}

/// Elementwise reciprocal square root: `1 / sqrt(self)`. Integer and Bool inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("rsqrt", "rsqrt_", "rsqrt.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T rsqrt(T self) {
  return T(1) / sqrt<T>(self);
}

/// Returns `log(exp(a) + exp(b))` of real numbers.
template <typename T>
STRUCTURED_HOST_DEVICE T logaddexp_real(T a, T b) {
  const T greater = a > b ? a : b;
  const T distance = std::fabs(a - b);
  // Equal infinities have a difference of NaN.
  return std::fabs(a) == std::numeric_limits<T>::infinity() && a == b
             ? a
             : greater + std::log1p(math::exp(-distance)) + (a != a ? a : T(0));
}

/// Elementwise `log(exp(self) + exp(other))`, computed without overflow. Inputs are broadcast and promoted to a common
/// dtype, which must be floating-point or complex.
template <typename T>
[[structured::pointwise("logaddexp", "logaddexp.out"), structured::dtypes("floating", "complex"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T logaddexp(T self, T other) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const bool is_greater = self.real() > other.real() || self != self;
    const T greater = is_greater ? self : other;
    const T lesser = is_greater ? other : self;
    if (self != self || other != other) {
      constexpr Part nan = std::numeric_limits<Part>::quiet_NaN();
      return T(nan, nan);
    }
    if (std::fabs(greater.real()) == std::numeric_limits<Part>::infinity() && greater.real() == lesser.real()) {
      return greater.real() < Part(0) ? lesser : math::log(math::exp(self) + math::exp(other));
    }
    return greater + log1p<T>(math::exp(lesser - greater));
  } else {
    return logaddexp_real<T>(self, other);
  }
}

/// Gradients of logaddexp.
template <typename T>
[[structured::backward("logaddexp", "self")]]
STRUCTURED_HOST_DEVICE T logaddexp_self(T grad, T self, T other) {
  return grad / conjugate(math::one_plus_exp(other - self));
}
template <typename T>
[[structured::backward("logaddexp", "other")]]
STRUCTURED_HOST_DEVICE T logaddexp_other(T grad, T self, T other) {
  return grad / conjugate(math::one_plus_exp(self - other));
}

/// Elementwise `log2(2 ** self + 2 ** other)`, computed without overflow. Inputs are broadcast and promoted to a common
/// dtype, which must be floating-point.
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

/// Gradients of logaddexp2.
template <typename T>
[[structured::backward("logaddexp2", "self")]]
STRUCTURED_HOST_DEVICE T logaddexp2_self(T grad, T self, T other) {
  return grad / (T(1) + math::exp2(other - self));
}
template <typename T>
[[structured::backward("logaddexp2", "other")]]
STRUCTURED_HOST_DEVICE T logaddexp2_other(T grad, T self, T other) {
  return grad / (T(1) + math::exp2(self - other));
}

/// Elementwise `self * log(other)`; 0 where `self` is 0 and `other` is not NaN. Inputs are broadcast; integer and Bool
/// inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("xlogy.Tensor", "xlogy_.Tensor", "xlogy.OutTensor"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy(T self, T other) {
  return other != other ? other : self == T(0) ? T(0) : self * math::log(other);
}

/// Elementwise `self * log(other)` with a scalar `self`; 0 where `self` is 0 and `other` is not NaN. Integer and Bool
/// inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("xlogy.Scalar_Self", "xlogy.OutScalar_Self"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy_scalar_self([[structured::scalar("promotes")]] T self, T other) {
  return xlogy<T>(self, other);
}

/// Elementwise `self * log(other)` with a scalar `other`; 0 where `self` is 0 and `other` is not NaN. Integer and Bool
/// inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("xlogy.Scalar_Other", "xlogy_.Scalar_Other", "xlogy.OutScalar_Other"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T xlogy_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return xlogy<T>(self, other);
}

/// Gradient of xlogy for `self`: 0 where `self` is 0 and the logarithm is not finite.
template <typename T>
[[structured::backward("xlogy.Tensor", "self"), structured::backward("xlogy.Scalar_Other")]]
STRUCTURED_HOST_DEVICE T xlogy_self(T grad, T self, T other) {
  return self == T(0) && other <= T(0) ? T(0) : grad * math::log(other);
}

/// Gradient of xlogy for `other`.
template <typename T>
[[structured::backward("xlogy.Tensor", "other"), structured::backward("xlogy.Scalar_Self")]]
STRUCTURED_HOST_DEVICE T xlogy_other(T grad, T self, T other) {
  return grad * (self / other);
}

/// Elementwise length of the hypotenuse, `sqrt(self ** 2 + other ** 2)`, computed without overflow. Inputs are
/// broadcast and promoted to a common dtype, which must be floating-point.
template <typename T>
[[structured::pointwise("hypot", "hypot_", "hypot.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T hypot(T self, T other) {
  return math::hypot(self, other);
}

}  // namespace structured::kernels
