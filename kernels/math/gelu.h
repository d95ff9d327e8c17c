// GELU: x times the cumulative distribution function of the normal distribution, for vectorized loops (see
// exponential.h).
//
//   gelu     4 ULP for x > -1, 6 ULP below (float); double uses the standard library's erfc
//
// 1 + erf(x / sqrt(2)) cancels for negative x. Instead this computes the tail of the distribution beyond |x|, which is
// exp(-x^2 / 2) times the scaled complementary error function, approximated by a rational function (idea: W. J. Cody,
// Rational Chebyshev approximations for the error function, 1969). x^2 is not rounded: one fused multiply-add computes
// its rounding error.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/exponential.h"

namespace structured::kernels::math {

/// Returns GELU of a real number. Results for x < -13.2, which would be subnormal, are 0.
template <typename T>
STRUCTURED_HOST_DEVICE T gelu(T x) {
  if constexpr (std::is_same_v<T, float>) {
    using C = detail::Constants<float>;
    // exp(t^2 / 2) times the tail beyond t, for t <= 13.3; error 1.1e-8. All coefficients are positive, so that nothing
    // cancels.
    constexpr float numerator[] = {0x1.988582p-2f, 0x1.fa7d6cp+1f, 0x1.1e75a4p+4f, 0x1.578c7p+5f, 0x1.893ddap+5f};
    constexpr float denominator[] = {0x1.3d6a9ap+3f, 0x1.6ee6c6p+5f, 0x1.d7109ep+6f, 0x1.48a7b2p+7f, 0x1.893ddap+6f};
    // (exp(-r / 2) - 1) / r for |r| <= ln(2); relative error of exp 7.4e-9
    constexpr float exponential[] = {0x1.6f81bep-16f, -0x1.124702p-12f, 0x1.5552b8p-9f,
                                     -0x1.55547ep-6f, 0x1p-3f,          -0.5f};
    constexpr float magic =
        C::kMagic + 127;  // includes the exponent's bias, so that a shift turns bits into a power of two
    constexpr uint32_t farthest = __builtin_bit_cast(uint32_t, 13.27f);  // where the bits of 2^n are 0
    const uint32_t magnitude = detail::bits_of(x) & 0x7fffffffU;
    const float t = detail::from_bits<float>(magnitude < farthest ? magnitude : farthest);
    const float square = t * t;
    const float shifted = std::fma(square, -C::kLog2e / 2, magic);
    const float n = shifted - magic;
    // t^2 = r - n 2 ln(2), with 2 ln(2) rounded; the rational function compensates for that.
    const float r = std::fma(n, 0x1.62e43p+0f, square) + std::fma(t, t, -square);
    const float power = detail::power_of_two<float>(detail::bits_of(shifted));
    const float scaled = detail::polynomial(t, numerator) / detail::polynomial<true>(t, denominator);
    const float positive = 0.0f > x ? 0.0f : x;  // keeps NaN
    return std::fma(-scaled, std::fma(t * r, detail::polynomial(r, exponential), t) * power, positive);
  } else {
    return x * T(0.5) * std::erfc(x * T(-0.70710678118654752440L));
  }
}

}  // namespace structured::kernels::math
