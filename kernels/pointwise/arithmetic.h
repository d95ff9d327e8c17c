// Arithmetic: sum, product, quotient, negation, absolute value, reciprocal and fused multiply-add.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace structured::kernels {

// Unsigned type for integer arithmetic that wraps around; at least 32 bits, since smaller types are promoted to int.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>;

/// Elementwise sum: `self + alpha * other`. Inputs are broadcast and promoted to a common dtype; Bool uses logical or,
/// and integers wrap around on overflow.
template <typename T>
[[structured::pointwise("add.Tensor", "add_.Tensor", "add.out"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T add(T self, T other, [[structured::kwonly, structured::scalar]] T alpha = 1) {
  if constexpr (std::is_same_v<T, bool>) {
    return self || (alpha && other);
  } else if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    return static_cast<T>(static_cast<U>(self) + static_cast<U>(alpha) * static_cast<U>(other));
  } else {
    return self + alpha * other;
  }
}

/// Elementwise sum with a scalar: `self + alpha * other`. `other` changes the result dtype only if its category (Bool,
/// integer, floating-point, complex) is higher than that of `self`.
template <typename T>
[[structured::pointwise("add.Scalar", "add_.Scalar", "add.Scalar_out"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T add_scalar(T self, [[structured::scalar("promotes")]] T other,
                                    [[structured::scalar]] T alpha = 1) {
  return add<T>(self, other, alpha);
}

/// `self - alpha * other`.
template <typename T>
STRUCTURED_HOST_DEVICE T difference(T self, T other, T alpha) {
  if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    return static_cast<T>(static_cast<U>(self) - static_cast<U>(alpha) * static_cast<U>(other));
  } else {
    return self - alpha * other;
  }
}

/// Elementwise product: `self * other`. Inputs are broadcast and promoted to a common dtype; Bool uses logical and, and
/// integers wrap around on overflow.
template <typename T>
[[structured::pointwise("mul.Tensor", "mul_.Tensor", "mul.out"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T mul(T self, T other) {
  if constexpr (std::is_same_v<T, bool>) {
    return self && other;
  } else if constexpr (std::is_integral_v<T>) {
    using U = Wrapping<T>;
    return static_cast<T>(static_cast<U>(self) * static_cast<U>(other));
  } else {
    return self * other;
  }
}

/// Elementwise product in which 0 is a strong zero: 0 times infinity is 0. For gradients, where an infinite factor is a
/// product that overflowed. NaN is propagated, except that a complex 0 times anything is 0, since complex products that
/// overflow contain NaN. Inputs are broadcast and promoted to a common dtype.
template <typename T>
[[structured::pointwise("_strong_zero_mul"), structured::dtypes("floating", "complex"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T strong_zero_mul(T self, T other) {
  const T product = self * other;
  if constexpr (is_complex_v<T>) {
    return self == T(0) || other == T(0) ? T(0) : product;
  } else {
    const bool is_undefined = product != product && self == self && other == other;
    return is_undefined ? T(0) : product;
  }
}

/// Elementwise product with a scalar: `self * other`. `other` changes the result dtype only if its category (Bool,
/// integer, floating-point, complex) is higher than that of `self`.
template <typename T>
[[structured::pointwise("mul.Scalar", "mul_.Scalar", "mul.Scalar_out"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T mul_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return mul<T>(self, other);
}

/// Elementwise true division: `self / other`. Inputs are broadcast and promoted to a common dtype; integer and Bool
/// inputs give the default dtype.
template <typename T>
[[structured::pointwise("div.Tensor", "div_.Tensor", "div.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T div(T self, T other) {
  return self / other;
}

/// Elementwise true division by a scalar: `self / other`. Integer and Bool inputs give the default dtype.
template <typename T>
[[structured::pointwise("div.Scalar", "div_.Scalar", "div.Scalar_out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T div_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return self / other;
}

/// Elementwise negation: `-self`. Unsigned integers wrap around. Bool is not supported.
template <typename T>
[[structured::pointwise("neg", "neg_", "neg.out"), structured::dtypes("integral", "floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T neg(T self) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(self));
  } else {
    return -self;
  }
}

/// Returns the absolute value of a real number. The most negative integer is returned unchanged, since its absolute
/// value is not representable.
template <typename T>
STRUCTURED_HOST_DEVICE T abs(T self) {
  if constexpr (std::is_integral_v<T>) {
    return self < 0 ? static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(self)) : self;
  } else {
    return std::fabs(self);
  }
}

/// Elementwise reciprocal: `1 / self`. Integer and Bool inputs give the default dtype.
template <typename T>
[[structured::pointwise("reciprocal", "reciprocal_", "reciprocal.out"), structured::promote("int_to_float"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T reciprocal(T self) {
  return T(1) / self;
}

/// Elementwise multiply-add: `self + value * tensor1 * tensor2`. Inputs are broadcast and promoted to a common dtype.
/// Bool is not supported.
template <typename T>
[[structured::pointwise("addcmul", "addcmul_", "addcmul.out"), structured::dtypes("integral", "floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T addcmul(T self, T tensor1, T tensor2,
                                 [[structured::kwonly, structured::scalar("converts")]] T value = 1) {
  return add<T>(self, mul<T>(tensor1, tensor2), value);
}

/// Elementwise divide-add: `self + value * tensor1 / tensor2`. Inputs are broadcast and promoted to a common dtype,
/// which must be floating-point or complex.
template <typename T>
[[structured::pointwise("addcdiv", "addcdiv_", "addcdiv.out"), structured::dtypes("floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T addcdiv(T self, T tensor1, T tensor2,
                                 [[structured::kwonly, structured::scalar("converts")]] T value = 1) {
  return self + value * tensor1 / tensor2;
}

}  // namespace structured::kernels
