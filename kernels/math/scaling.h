// Products with powers of two, without branches and calls (see exponential.h).
#pragma once

#include <structured/base/export.h>

#include <cmath>
#include <limits>

#include "math/exponential.h"

namespace structured::kernels::math {

namespace detail {

/// Returns 2^n for an integer n for which it is a normal number.
template <typename T>
STRUCTURED_HOST_DEVICE T power_of_two(T n) {
  return power_of_two<T>(bits_of(n + (Constants<T>::kMagic + T(Constants<T>::kBias))));
}

}  // namespace detail

/// Returns x times 2^n, rounded once if n is an integer: only the exponent of x changes, and 2^n itself may be out of
/// range.
template <typename T>
STRUCTURED_HOST_DEVICE T ldexp(T x, T n) {
  using C = detail::Constants<T>;
  using Bits = typename C::Bits;
  using Limits = std::numeric_limits<T>;
  constexpr Bits one_bit = Bits(1) << C::kMantissa;
  constexpr Bits sign = ~(~Bits(0) >> 1);
  constexpr T scale = T(one_bit);  // makes subnormal numbers normal
  constexpr T bias = T(C::kBias);
  const T magnitude = std::fabs(x);
  const bool is_small = magnitude < Limits::min();
  const Bits bits = detail::bits_of(is_small ? x * scale : x);
  // The exponent, as the bits of a number in [2^mantissa, 2^(mantissa + 1)).
  const T biased = detail::from_bits<T>(detail::bits_of(scale) | ((bits & ~sign) >> C::kMantissa)) - scale;
  const T exponent = biased - (is_small ? bias + T(C::kMantissa) : bias);
  const T mantissa = detail::from_bits<T>((bits & (sign | (one_bit - 1))) | detail::bits_of(T(1)));
  // All results beyond these exponents are 0 or infinite.
  constexpr T lowest = -bias - T(C::kMantissa) - T(4);
  constexpr T highest = bias + T(3);
  const T whole = std::ceil(n);
  const T sum = exponent + whole;
  const T total = sum < lowest ? lowest : sum > highest ? highest : sum;
  const T half = std::floor(total * T(0.5));
  // exp(0) is exactly 1. The first product with a power is exact.
  const T fraction = exp((n - whole) * T(0.69314718055994530942L));
  const T scaled = mantissa * fraction * detail::power_of_two(half) * detail::power_of_two(total - half);
  const bool is_changed = magnitude > T(0) && magnitude <= Limits::max();
  const T finite = is_changed ? scaled : x;
  const T limit = n < T(0) ? T(0) : n;
  return std::fabs(n) <= Limits::max() ? finite : x * limit;
}

}  // namespace structured::kernels::math
