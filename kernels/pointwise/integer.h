// Greatest common divisor, least common multiple and bit shifts.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <type_traits>

namespace structured::kernels {

/// Absolute value as an unsigned integer, which can represent that of the most negative integer.
template <typename T>
STRUCTURED_HOST_DEVICE std::make_unsigned_t<T> magnitude(T value) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto bits = static_cast<Unsigned>(value);
  return std::is_signed_v<T> && value < 0 ? static_cast<Unsigned>(Unsigned{0} - bits) : bits;
}

/// Elementwise greatest common divisor of integers; `gcd(0, 0)` is 0. Inputs are broadcast and promoted to a common
/// dtype.
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

/// Elementwise least common multiple of integers; 0 if either element is 0. Inputs are broadcast and promoted to a
/// common dtype. Results wrap around on overflow.
template <typename T>
[[structured::pointwise("lcm", "lcm_", "lcm.out"), structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T lcm(T self, T other) {
  const auto divisor = magnitude(gcd<T>(self, other));
  if (divisor == 0) return 0;
  const auto factor = static_cast<decltype(divisor)>(magnitude(self) / divisor);
  return static_cast<T>(static_cast<unsigned long long>(factor) * magnitude(other));
}

/// Elementwise left shift of integers: `self << other`. Returns 0 where `other` is negative or not less than the number
/// of bits. Inputs are broadcast and promoted to a common dtype.
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

/// Elementwise left shift of integers by a scalar: `self << other`. Returns 0 if `other` is negative or not less than
/// the number of bits.
template <typename T>
[[structured::pointwise("bitwise_left_shift.Tensor_Scalar", "bitwise_left_shift_.Tensor_Scalar",
                        "bitwise_left_shift.Tensor_Scalar_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_left_shift_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return bitwise_left_shift<T>(self, other);
}

/// Elementwise arithmetic right shift of integers: `self >> other`. Returns 0, or -1 for negative `self`, where `other`
/// is negative or not less than the number of bits. Inputs are broadcast and promoted to a common dtype.
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

/// Elementwise arithmetic right shift of integers by a scalar: `self >> other`. Returns 0, or -1 for negative `self`,
/// if `other` is negative or not less than the number of bits.
template <typename T>
[[structured::pointwise("bitwise_right_shift.Tensor_Scalar", "bitwise_right_shift_.Tensor_Scalar",
                        "bitwise_right_shift.Tensor_Scalar_out"),
  structured::dtypes("integral"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T bitwise_right_shift_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return bitwise_right_shift<T>(self, other);
}

}  // namespace structured::kernels
