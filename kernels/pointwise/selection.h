// Choosing among numbers, and putting parts of them together.
#pragma once

#include <structured/annotate.h>
#include <structured/core/complex.h>
#include <structured/core/export.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "pointwise/comparison.h"

namespace structured::kernels {

/// Without a branch, which compilers otherwise make of it in spite of conditions that nobody can predict.
template <typename Bits, typename T>
STRUCTURED_HOST_DEVICE T choose_bits(bool condition, T yes, T no) {
  const Bits mask = static_cast<Bits>(Bits(0) - static_cast<Bits>(condition));
  return __builtin_bit_cast(T, static_cast<Bits>((__builtin_bit_cast(Bits, yes) & mask) |
                                                 (__builtin_bit_cast(Bits, no) & static_cast<Bits>(~mask))));
}

/// `self` where `condition` holds, `other` elsewhere.
template <typename T>
[[structured::pointwise("where.self", "where.self_out"), structured::promote("no_opmath"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T where([[structured::tensor]] bool condition, T self, T other) {
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) == 4) {
    return choose_bits<std::uint32_t>(condition, self, other);
  } else if constexpr (std::is_arithmetic_v<T> && sizeof(T) == 8) {
    return choose_bits<std::uint64_t>(condition, self, other);
  } else {
    return condition ? self : other;
  }
}

/// The number of the magnitude of `self` with the sign of `other`. Integers give the default dtype.
template <typename T>
[[structured::pointwise("copysign.Tensor", "copysign_.Tensor", "copysign.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T copysign(T self, T other) {
  return std::copysign(self, other);
}

/// The same for a number `other`.
template <typename T>
[[structured::pointwise("copysign.Scalar", "copysign_.Scalar", "copysign.Scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T copysign_number(T self, [[structured::scalar("promotes")]] T other) {
  return std::copysign(self, other);
}

/// The next number after `self` towards `other`.
template <typename T>
[[structured::pointwise("nextafter", "nextafter_", "nextafter.out"), structured::dtypes("float", "double"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T nextafter(T self, T other) {
  return std::nextafter(self, other);
}

/// Finite numbers in place of NaN and infinities; the greatest and the least of the dtype unless they are given.
template <typename T>
[[structured::pointwise("nan_to_num", "nan_to_num_", "nan_to_num.out"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T nan_to_num(T self, std::optional<double> nan = std::nullopt,
                                    std::optional<double> posinf = std::nullopt,
                                    std::optional<double> neginf = std::nullopt) {
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    const T for_nan = nan ? static_cast<T>(*nan) : T(0);
    const T for_infinity = posinf ? static_cast<T>(*posinf) : Limits::max();
    const T for_negative = neginf ? static_cast<T>(*neginf) : Limits::lowest();
    const T finite = self == Limits::infinity() ? for_infinity : self == -Limits::infinity() ? for_negative : self;
    return is_nan(self) ? for_nan : finite;
  } else {
    return self;
  }
}

/// `self + weight * (end - self)`, exact at both ends. `end` has the dtype of `self`.
template <typename T>
[[structured::pointwise("lerp.Scalar", "lerp_.Scalar", "lerp.Scalar_out"), structured::dtypes("floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T lerp(T self, T end, [[structured::scalar]] T weight) {
  if constexpr (is_complex_v<T>) {
    const auto real = weight.real();
    const auto imag = weight.imag();
    return real * real + imag * imag < 0.25f ? self + weight * (end - self) : end - (end - self) * (T(1) - weight);
  } else {
    return std::fabs(weight) < T(0.5) ? self + weight * (end - self) : end - (end - self) * (T(1) - weight);
  }
}

/// `self + weight * (end - self)`, exact at both ends. All are of one dtype.
template <typename T>
[[structured::pointwise("lerp.Tensor", "lerp_.Tensor", "lerp.Tensor_out"), structured::dtypes("floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T lerp_tensor(T self, T end, T weight) {
  return lerp<T>(self, end, weight);
}

}  // namespace structured::kernels
