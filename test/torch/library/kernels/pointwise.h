// Operators that one scalar function defines.
#pragma once

#include <structured/torch.h>

#include <cmath>
#include <optional>
#include <type_traits>

namespace trial {

/// `self + alpha * other`.
template <typename T>
[[structured::pointwise("axpy.Tensor", "axpy_.Tensor", "axpy.out")]]
STRUCTURED_HOST_DEVICE T axpy(T self, T other, [[structured::kwonly, structured::scalar]] T alpha = 1) {
  if constexpr (std::is_same_v<T, bool>) {
    return self || (alpha && other);
  } else {
    return self + alpha * other;
  }
}

#ifndef TORCH_TARGET_VERSION  // the stable ABI has no numbers of any type
/// `self + alpha * other` for a number.
template <typename T>
[[structured::pointwise("axpy.Scalar", "axpy_.Scalar", "axpy.Scalar_out")]]
STRUCTURED_HOST_DEVICE T axpy_number(T self, [[structured::scalar("promotes")]] T other,
                                     [[structured::scalar]] T alpha = 1) {
  return axpy<T>(self, other, alpha);
}
#endif

/// `self / 2`, without an out= variant.
template <typename T>
[[structured::pointwise("halve", "halve_"), structured::no_out, structured::promote("int_to_float"),
  structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T halve(T self) {
  return self / 2;
}

/// `self / (1 + |self|)`.
template <typename T>
[[structured::pointwise("soft_sign", "soft_sign_", "soft_sign.out"), structured::promote("int_to_float"),
  structured::autocast("lower_precision"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T soft_sign(T self) {
  return self / (1 + structured::math::abs(self));
}

/// `other * self / (1 + exp(-scale * self))`.
template <typename T>
[[structured::pointwise("gated", "gated_", "gated.out"), structured::promote("int_to_float")]]
STRUCTURED_HOST_DEVICE T gated(T self, [[structured::scalar]] T scale, T other) {
  return other * self / (T(1) + structured::math::exp(-scale * self));
}

/// `self + weight * (end - self)`, at most `most`.
template <typename T>
[[structured::pointwise("mix", "mix_", "mix.out"), structured::autocast("promote"),
  structured::dtypes("floating", "integral")]]
STRUCTURED_HOST_DEVICE T mix(T self, T end, T weight, [[structured::scalar]] std::optional<T> most = std::nullopt) {
  const T mixed = self + weight * (end - self);
  return most && *most < mixed ? *most : mixed;
}

/// `self` raised to an integer power, or a power of its absolute value.
template <typename T>
[[structured::pointwise("int_power", "int_power_"), structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T int_power(T self, int64_t exponent, bool absolute = false) {
  T power = 1;
  for (int64_t i = 0; i < exponent; ++i) power *= absolute ? structured::math::abs(self) : self;
  return power;
}

/// `self` where it is positive, else `slope * self`. The derivative at 0 is `slope`, that of the left side.
template <typename T>
[[structured::pointwise("leaky", "leaky_", "leaky.out"), structured::autocast("fp32"),
  structured::dtypes("floating", "complex64")]]
STRUCTURED_HOST_DEVICE T leaky(T self, [[structured::scalar]] T slope = 0.5) {
  if constexpr (structured::is_floating_point_v<T>) {
    return self > T(0) ? self : slope * self;
  } else {
    return self;
  }
}
template <typename T>
[[structured::backward("leaky")]]
STRUCTURED_HOST_DEVICE T leaky_backward(T out, T grad, T slope) {
  return out > T(0) ? grad : slope * grad;
}

/// `self` rounded down, which is not differentiable.
template <typename T>
[[structured::pointwise("rounded_down"), structured::dtypes("floating"), structured::not_differentiable]]
STRUCTURED_HOST_DEVICE T rounded_down(T self) {
  return std::floor(self);
}

/// Whether the elements differ by at most `tolerance`.
template <typename T>
[[structured::pointwise("is_near", "is_near_", "is_near.out"), structured::dtypes("floating", "integral")]]
STRUCTURED_HOST_DEVICE bool is_near(T self, T other, [[structured::scalar]] T tolerance = 0) {
  return self <= other + tolerance && other <= self + tolerance;
}

/// `other` where `mask`, else `self`, between the bounds.
template <typename T>
[[structured::pointwise("choose", "choose.out"), structured::dtypes("floating", "integral", "bool")]]
STRUCTURED_HOST_DEVICE T choose(T self, T other, [[structured::tensor]] bool mask,
                                [[structured::scalar]] std::optional<T> most = std::nullopt) {
  const T chosen = mask ? other : self;
  return most && *most < chosen ? *most : chosen;
}

/// Twice `self`; compilers call it as a whole.
template <typename T>
[[structured::pointwise("hidden", "hidden_", "hidden.out"), structured::opaque, structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T hidden(T self) {
  return 2 * self;
}

}  // namespace trial
