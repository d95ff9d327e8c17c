// Elementwise selection, copysign, nextafter and linear interpolation.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/standard.h"
#include "pointwise/comparison.h"

namespace structured::kernels {

/// Branchless selection: compilers emit a branch for a conditional expression, which is often mispredicted.
template <typename Bits, typename T>
STRUCTURED_HOST_DEVICE T choose_bits(bool condition, T yes, T no) {
  const Bits mask = static_cast<Bits>(Bits(0) - static_cast<Bits>(condition));
  return __builtin_bit_cast(T, static_cast<Bits>((__builtin_bit_cast(Bits, yes) & mask) |
                                                 (__builtin_bit_cast(Bits, no) & static_cast<Bits>(~mask))));
}

/// Returns `self` if `condition`, else `other`.
template <typename T>
STRUCTURED_HOST_DEVICE T where(bool condition, T self, T other) {
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) == 4) {
    return choose_bits<uint32_t>(condition, self, other);
  } else if constexpr (std::is_arithmetic_v<T> && sizeof(T) == 8) {
    return choose_bits<uint64_t>(condition, self, other);
  } else {
    return condition ? self : other;
  }
}

/// Magnitude of `self` with the sign of `other`, elementwise. Inputs are broadcast; integer and Bool inputs are
/// converted to the default dtype.
template <typename T>
[[structured::pointwise("copysign.Tensor", "copysign_.Tensor", "copysign.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T copysign(T self, T other) {
  return math::copysign(self, other);
}

/// Magnitude of `self` with the sign of a scalar `other`, elementwise. Integer and Bool inputs are converted to the
/// default dtype.
template <typename T>
[[structured::pointwise("copysign.Scalar", "copysign_.Scalar", "copysign.Scalar_out"),
  structured::promote("int_to_float"), structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T copysign_scalar(T self, [[structured::scalar("promotes")]] T other) {
  return math::copysign(self, other);
}

/// Next representable number after `self` in the direction of `other`, elementwise. Inputs are broadcast and promoted
/// to a common floating-point dtype.
template <typename T>
[[structured::pointwise("nextafter", "nextafter_", "nextafter.out"), structured::promote("no_opmath"),
  structured::dtypes("floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T nextafter(T self, T other) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::nextafter(self, other);
  } else {
    const float from = static_cast<float>(self);
    const float to = static_cast<float>(other);
    if (is_nan(from) || is_nan(to)) return T(from + to);
    if (from == to) return other;
    // Numbers of one sign are ordered like their bit patterns.
    if (from == 0) return T::from_bits(to > 0 ? 0x0001 : 0x8001);
    return T::from_bits(static_cast<uint16_t>((to > from) == (from > 0) ? self.bits() + 1 : self.bits() - 1));
  }
}

/// Linear interpolation with a scalar weight: `self + weight * (end - self)`, exact for weights 0 and 1. `self` and
/// `end` are broadcast and have one dtype.
template <typename T>
[[structured::pointwise("lerp.Scalar", "lerp_.Scalar", "lerp.Scalar_out"), structured::dtypes("floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T lerp(T self, T end, [[structured::scalar("converts")]] T weight) {
  if constexpr (is_complex_v<T>) {
    const auto real = weight.real();
    const auto imag = weight.imag();
    return real * real + imag * imag < 0.25f ? self + weight * (end - self) : end - (end - self) * (T(1) - weight);
  } else {
    return std::fabs(weight) < T(0.5) ? self + weight * (end - self) : end - (end - self) * (T(1) - weight);
  }
}

/// Linear interpolation with a tensor of weights: `self + weight * (end - self)`, exact for weights 0 and 1. All three
/// are broadcast and have one dtype.
template <typename T>
[[structured::pointwise("lerp.Tensor", "lerp_.Tensor", "lerp.Tensor_out"), structured::dtypes("floating", "complex"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T lerp_tensor(T self, T end, T weight) {
  return lerp<T>(self, end, weight);
}

}  // namespace structured::kernels
