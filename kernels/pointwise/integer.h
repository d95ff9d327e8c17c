// Common divisors and multiples of integers, and shifts of their bits.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <type_traits>

namespace structured::kernels {

/// The magnitude of an integer; the least one has none of its own type.
template <typename T>
STRUCTURED_HOST_DEVICE std::make_unsigned_t<T> magnitude(T value) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto bits = static_cast<Unsigned>(value);
  return std::is_signed_v<T> && value < 0 ? static_cast<Unsigned>(Unsigned{0} - bits) : bits;
}

/// The greatest integer that divides both; 0 of two zeros.
template <typename T>
[[structured::pointwise("gcd", "gcd_", "gcd.out"), structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T gcd(T self, T other) {
  auto a = magnitude(self);
  auto b = magnitude(other);
  while (b != 0) {
    const auto rest = static_cast<decltype(b)>(a % b);
    a = b;
    b = rest;
  }
  return static_cast<T>(a);
}

/// The least integer that both divide; 0 if one is 0. It wraps around.
template <typename T>
[[structured::pointwise("lcm", "lcm_", "lcm.out"), structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T lcm(T self, T other) {
  const auto divisor = magnitude(gcd<T>(self, other));
  if (divisor == 0) return 0;
  const auto factor = static_cast<decltype(divisor)>(magnitude(self) / divisor);
  return static_cast<T>(static_cast<unsigned long long>(factor) * magnitude(other));
}

/// The bits of `self`, `other` places up. Nothing is left of them where these are as many as there are, or negative.
template <typename T>
[[structured::pointwise("bitwise_left_shift.Tensor", "bitwise_left_shift_.Tensor", "bitwise_left_shift.Tensor_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_left_shift(T self, T other) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr auto width = static_cast<Unsigned>(8 * sizeof(T));
  const auto places = static_cast<Unsigned>(other);
  const auto bits = static_cast<unsigned long long>(static_cast<Unsigned>(self));
  return places < width ? static_cast<T>(bits << places) : T(0);
}

/// The same with a number.
template <typename T>
[[structured::pointwise("bitwise_left_shift.Tensor_Scalar", "bitwise_left_shift_.Tensor_Scalar",
                        "bitwise_left_shift.Tensor_Scalar_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_left_shift_number(T self, [[structured::scalar("promotes")]] T other) {
  return bitwise_left_shift<T>(self, other);
}

/// The bits of `self`, `other` places down, filled up with its sign, which alone is left where these are as many as
/// there are, or negative.
template <typename T>
[[structured::pointwise("bitwise_right_shift.Tensor", "bitwise_right_shift_.Tensor", "bitwise_right_shift.Tensor_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_right_shift(T self, T other) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr auto width = static_cast<Unsigned>(8 * sizeof(T));
  const auto places = static_cast<Unsigned>(other);
  const T sign = std::is_signed_v<T> && self < 0 ? static_cast<T>(-1) : T(0);
  return places < width ? static_cast<T>(self >> places) : sign;
}

/// The same with a number.
template <typename T>
[[structured::pointwise("bitwise_right_shift.Tensor_Scalar", "bitwise_right_shift_.Tensor_Scalar",
                        "bitwise_right_shift.Tensor_Scalar_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_right_shift_number(T self, [[structured::scalar("promotes")]] T other) {
  return bitwise_right_shift<T>(self, other);
}

}  // namespace structured::kernels
