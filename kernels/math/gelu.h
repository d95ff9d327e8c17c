// x times the part of the normal distribution up to x, for loops that are to be vectorised, see exponential.h.
//
//   gelu     4 ULP for x > -1, 6 ULP below (float); double is made of the standard library's erf
//
// 1 + erf(x / sqrt(2)) cancels for negative x. Instead the tail of the distribution beyond |x| is what is computed,
// which is exp(-x^2 / 2) times a function that a quotient of polynomials is close to (the scaled complement of the
// error function; W. J. Cody, Rational Chebyshev approximations for the error function, 1969, for the idea). x^2 is
// never rounded: what its rounding leaves over is computed by one fused multiply-add.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/exponential.h"

namespace structured::kernels::math {

/// Of real numbers. Results of x below -13.2, which would be no normal numbers, are 0.
template <typename T>
STRUCTURED_HOST_DEVICE T gelu(T x) {
  if constexpr (std::is_same_v<T, float>) {
    using C = detail::Constants<float>;
    // exp(t^2 / 2) times the tail beyond t, for t up to 13.3: error 1.1e-8. All coefficients are positive, so that
    // nothing cancels.
    constexpr float numerator[] = {0x1.988582p-2f, 0x1.fa7d6cp+1f, 0x1.1e75a4p+4f, 0x1.578c7p+5f, 0x1.893ddap+5f};
    constexpr float denominator[] = {0x1.3d6a9ap+3f, 0x1.6ee6c6p+5f, 0x1.d7109ep+6f, 0x1.48a7b2p+7f, 0x1.893ddap+6f};
    // (exp(-r / 2) - 1) / r for |r| <= ln(2); relative error of exp 7.4e-9
    constexpr float exponential[] = {0x1.6f81bep-16f, -0x1.124702p-12f, 0x1.5552b8p-9f,
                                     -0x1.55547ep-6f, 0x1p-3f,          -0.5f};
    constexpr float magic = C::kMagic + 127;  // with the exponent's bias, so that bits become a power of two by a shift
    constexpr uint32_t farthest = __builtin_bit_cast(uint32_t, 13.27f);  // 2^n has the bits of 0 here
    const uint32_t magnitude = detail::bits_of(x) & 0x7fffffffU;
    const float t = detail::from_bits<float>(magnitude < farthest ? magnitude : farthest);
    const float square = t * t;
    const float shifted = std::fma(square, -C::kLog2e / 2, magic);
    const float n = shifted - magic;
    // t^2 = r - n 2 ln(2), with a rounded 2 ln(2): the quotient of polynomials makes up for that.
    const float r = std::fma(n, 0x1.62e43p+0f, square) + std::fma(t, t, -square);
    const float power = detail::power_of_two<float>(detail::bits_of(shifted));
    const float scaled = detail::polynomial(t, numerator) / detail::polynomial<true>(t, denominator);
    const float positive = 0.0f > x ? 0.0f : x;  // a NaN stays one
    return std::fma(-scaled, std::fma(t * r, detail::polynomial(r, exponential), t) * power, positive);
  } else {
    return x * T(0.5) * (T(1) + erf(x * T(0.70710678118654752440L)));
  }
}

}  // namespace structured::kernels::math
