// Sums, products and quotients.
#pragma once

#include <structured/annotate.h>
#include <structured/core/complex.h>
#include <structured/core/export.h>
#include <structured/core/half.h>

#include <cstdint>
#include <type_traits>

namespace structured::kernels {

// Integers wrap around: computed in an unsigned type that is not promoted to a signed one.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>;

/// `self + alpha * other`, with broadcasting and type promotion. On Bool tensors, logical or.
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

/// `self + alpha * other` for a number `other`, which changes the dtype of `self` only if it is of a higher category.
template <typename T>
[[structured::pointwise("add.Scalar", "add_.Scalar", "add.Scalar_out"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T add_number(T self, [[structured::scalar("promotes")]] T other,
                                    [[structured::scalar]] T alpha = 1) {
  return add<T>(self, other, alpha);
}

/// `self * other`, with broadcasting and type promotion. On Bool tensors, logical and.
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

}  // namespace structured::kernels
