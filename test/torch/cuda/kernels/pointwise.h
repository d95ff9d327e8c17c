// Operators that one scalar function defines, for CPUs and GPUs.
#pragma once

#include <structured/torch.h>

#include <optional>
#include <type_traits>

namespace trial {

/// `self + alpha * other`.
template <typename T>
[[structured::pointwise("axpy", "axpy_", "axpy.out"), structured::not_differentiable,
  structured::dtypes("floating", "int64", "bool")]]
STRUCTURED_HOST_DEVICE T axpy(T self, T other, [[structured::kwonly, structured::scalar]] T alpha = 1) {
  if constexpr (std::is_same_v<T, bool>) {
    return self || (alpha && other);
  } else {
    return self + alpha * other;
  }
}

/// `other * self / (1 + exp(-scale * self))`.
template <typename T>
[[structured::pointwise("gated", "gated_", "gated.out"), structured::promote("int_to_float"),
  structured::dtypes("float32", "bfloat16")]]
STRUCTURED_HOST_DEVICE T gated(T self, [[structured::scalar]] T scale, T other) {
  return other * self / (T(1) + structured::math::exp(-scale * self));
}

/// `self` raised to an integer power, or a power of its absolute value.
template <typename T>
[[structured::pointwise("int_power", "int_power_"), structured::dtypes("float32"), structured::not_differentiable]]
STRUCTURED_HOST_DEVICE T int_power(T self, int64_t exponent, bool absolute = false) {
  T power = 1;
  for (int64_t i = 0; i < exponent; ++i) power *= absolute ? structured::math::abs(self) : self;
  return power;
}

/// Whether the elements differ by at most `tolerance`.
template <typename T>
[[structured::pointwise("is_near", "is_near_", "is_near.out"), structured::dtypes("float32", "int64")]]
STRUCTURED_HOST_DEVICE bool is_near(T self, T other, [[structured::scalar]] T tolerance = 0) {
  return self <= other + tolerance && other <= self + tolerance;
}

/// `other` where `mask`, else `self`, at most `most`.
template <typename T>
[[structured::pointwise("choose", "choose.out"), structured::dtypes("float16", "float32"),
  structured::not_differentiable]]
STRUCTURED_HOST_DEVICE T choose(T self, T other, [[structured::tensor]] bool mask,
                                [[structured::scalar]] std::optional<T> most = std::nullopt) {
  const T chosen = mask ? other : self;
  return most && *most < chosen ? *most : chosen;
}

}  // namespace trial
