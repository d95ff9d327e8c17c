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

/// `self + alpha * other` for a number.
template <typename T>
[[structured::pointwise("axpy.Scalar", "axpy_.Scalar", "axpy.Scalar_out")]]
STRUCTURED_HOST_DEVICE T axpy_number(T self, [[structured::scalar("promotes")]] T other,
                                     [[structured::scalar]] T alpha = 1) {
  return axpy<T>(self, other, alpha);
}

/// `self / (1 + |self|)`.
template <typename T>
[[structured::pointwise("soft_sign", "soft_sign_", "soft_sign.out"), structured::promote("int_to_float"),
  structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T soft_sign(T self) {
  return self / (1 + std::abs(self));
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

}  // namespace trial
