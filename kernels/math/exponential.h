// exp, log and functions derived from them, without branches and calls, so that loops over them are vectorized.
// Operations and their order are the same for every instruction set, and so are results, bit for bit.
//
// Argument reduction follows W. J. Cody and W. Waite (Software Manual for the Elementary Functions, 1980), with fused
// multiply-adds (J.-M. Muller, Elementary Functions, 3rd edition, ch. 11). log follows P. T. P. Tang (Table-driven
// implementation of the logarithm function, 1990), without the table. The polynomials are our own: interpolation at
// Chebyshev nodes, with the error stated at each. Bounds hold for normal results; test/unit/kernels/math_test.cpp
// measures them against long double.
//
//   exp      1 ULP      expm1    2 ULP
//   log      1 ULP      one_plus_exp  2 ULP
//   tanh     3 ULP      sigmoid  3 ULP
//   erf      3 ULP (float; double is the standard library's)
#pragma once

#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "math/standard.h"

namespace structured::kernels::math {

namespace detail {

// Evaluates a polynomial with coefficients from the highest power down. If `Monic`, the leading coefficient is 1 and
// left out.
template <bool Monic = false, typename T, std::size_t N>
STRUCTURED_HOST_DEVICE T polynomial(T x, const T (&coefficients)[N]) {
  T sum = Monic ? x + coefficients[0] : coefficients[0];
#if defined(__CUDA_ARCH__)
#pragma unroll
#elif !defined(__CUDACC__)
#pragma GCC unroll 16
#endif
  for (std::size_t i = 1; i < N; ++i) sum = std::fma(sum, x, coefficients[i]);
  return sum;
}

template <typename T>
struct Constants;

template <>
struct Constants<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23;
  static constexpr Bits kBias = 127;
  static constexpr float kMagic = 0x1.8p23f;  // adding it to x leaves x, rounded to an integer, in the lowest bits
  static constexpr float kLog2e = 0x1.715476p+0f;
  static constexpr float kLn2High = 0x1.62e4p-1f;
  static constexpr float kLn2Low = 0x1.7f7d1cp-20f;
  static constexpr float kNoNormalExp = -88;    // exp is subnormal or 0 up to here
  static constexpr float kNoExp = -104;         // exp is 0 up to here
  static constexpr float kNegligibleExp = -18;  // 1 + exp is 1 up to here
  static constexpr float kTanhHighest = 10;
  // (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; relative error of exp 7.4e-9
  static STRUCTURED_HOST_DEVICE float exp(float x) {
    constexpr float coefficients[] = {0x1.6f81bep-10f, 0x1.124702p-7f, 0x1.5552b8p-5f, 0x1.55547ep-3f, 0.5f};
    return polynomial(x, coefficients);
  }
  // (2 atanh(s) - 2 s) / s^3 in s^2, for (1 + s) / (1 - s) from sqrt(1/2) to sqrt(2); error 1.2e-9
  static STRUCTURED_HOST_DEVICE float log(float x) {
    constexpr float coefficients[] = {0x1.dddae0p-3f, 0x1.245c0ap-2f, 0x1.9999ecp-2f, 0x1.555556p-1f};
    return polynomial(x, coefficients);
  }
};

template <>
struct Constants<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52;
  static constexpr Bits kBias = 1023;
  static constexpr double kMagic = 0x1.8p52;
  static constexpr double kLog2e = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42fee00000p-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kNoNormalExp = -709;
  static constexpr double kNoExp = -746;
  static constexpr double kNegligibleExp = -38;
  static constexpr double kTanhHighest = 22;
  // Polynomials for the functions of Constants<float>, with errors 1.7e-19 and 2.1e-18.
  static STRUCTURED_HOST_DEVICE double exp(double x) {
    constexpr double coefficients[] = {0x1.1f7385560be05p-29,
                                       0x1.af4ecd2129492p-26,
                                       0x1.27e4db25ce3adp-22,
                                       0x1.71de01c3fc936p-19,
                                       0x1.a01a01a6ec522p-16,
                                       0x1.a01a01ac0a9eep-13,
                                       0x1.6c16c16c162b0p-10,
                                       0x1.111111111009cp-7,
                                       0x1.5555555555556p-5,
                                       0x1.5555555555557p-3,
                                       0.5};
    return polynomial(x, coefficients);
  }
  static STRUCTURED_HOST_DEVICE double log(double x) {
    constexpr double coefficients[] = {0x1.0c1263e1bac13p-3, 0x1.0fbd2bafa02d6p-3, 0x1.3b1c42e3df02cp-3,
                                       0x1.745cf8c4c7bcap-3, 0x1.c71c7201f207cp-3, 0x1.2492492476765p-2,
                                       0x1.9999999999a3ap-2, 0x1.5555555555555p-1};
    return polynomial(x, coefficients);
  }
};

template <typename T>
STRUCTURED_HOST_DEVICE typename Constants<T>::Bits bits_of(T x) {
  return __builtin_bit_cast(typename Constants<T>::Bits, x);
}
template <typename T>
STRUCTURED_HOST_DEVICE T from_bits(typename Constants<T>::Bits bits) {
  return __builtin_bit_cast(T, bits);
}

/// Decomposes x = n ln(2) + r with an integer n <= `highest`. Returns r, which grows with x once n is at its limit, and
/// stores n + `bias` in the lowest bits of `bits`. If x is so low that n does not fit, both are unspecified.
///
/// Here and below, results or bits are clamped instead of floating-point inputs: GCC turns clamping of inputs into
/// branches, which it duplicates and converts to many masked moves. Clamping bits, or selecting a result,
/// costs one or two instructions and keeps NaN.
template <typename T>
STRUCTURED_HOST_DEVICE T reduce_exp(T x, T bias, T highest, typename Constants<T>::Bits& bits) {
  using C = Constants<T>;
  const T magic = C::kMagic + bias;
  const auto unlimited = bits_of(std::fma(x, C::kLog2e, magic));
  const auto limit = bits_of(magic + highest);
  bits = unlimited < limit ? unlimited : limit;
  const T n = from_bits<T>(bits) - magic;
  return std::fma(n, -C::kLn2Low, std::fma(n, -C::kLn2High, x));
}

/// Returns 2^n, where n + kBias is in the lowest bits.
template <typename T>
STRUCTURED_HOST_DEVICE T power_of_two(typename Constants<T>::Bits bits) {
  return from_bits<T>(bits << Constants<T>::kMantissa);
}

/// Returns exp(r) for |r| <= ln(2) / 2. Beyond, a value greater than 1, up to infinity.
template <typename T>
STRUCTURED_HOST_DEVICE T exp_near_0(T r) {
  return std::fma(r, std::fma(r, Constants<T>::exp(r), T(1)), T(1));
}

/// Returns exp(x) - 1 for x that is not negligible; 0 for x = -0.
template <typename T>
STRUCTURED_HOST_DEVICE T expm1(T x) {
  using C = Constants<T>;
  constexpr T bias = T(C::kBias);
  typename C::Bits bits;
  const T r = reduce_exp(x, bias - 1, bias + 1, bits);
  const T rest = std::fma(r * r, C::exp(r), r);
  const T scale = power_of_two<T>(bits);
  const T half = std::fma(scale, rest, scale - T(0.5));
  return half + half;
}

}  // namespace detail

template <typename T>
STRUCTURED_HOST_DEVICE T exp(T x) {
  if constexpr (is_complex_v<T>) {
    return standard(x, [](const auto& z) {
      using std::exp;
      return exp(z);
    });
  } else {
    using C = detail::Constants<T>;
    constexpr T bias = T(C::kBias);
    typename C::Bits bits;
    const T y = detail::exp_near_0(detail::reduce_exp(x, 2 * bias, bias + 2, bits));
    // Multiplies in two steps, as 2^n may be outside the range of normal numbers.
    const auto half = bits >> 1;
    const T result = y * detail::power_of_two<T>(half) * detail::power_of_two<T>(bits - half);
    return x < C::kNoExp ? T(0) : result;
  }
}

/// Returns exp(x) for real x <= 0, faster than exp(); subnormal results are 0.
template <typename T>
STRUCTURED_HOST_DEVICE T exp_of_nonpositive(T x) {
  using C = detail::Constants<T>;
  constexpr T bias = T(C::kBias);
  typename C::Bits bits;
  const T y = detail::exp_near_0(detail::reduce_exp(x, bias, bias, bits));
  return x < C::kNoNormalExp ? T(0) : y * detail::power_of_two<T>(bits);
}

/// Returns exp(x) - 1 of a real number, accurate near 0.
template <typename T>
STRUCTURED_HOST_DEVICE T expm1(T x) {
  return x < detail::Constants<T>::kNegligibleExp ? T(-1) : std::copysign(detail::expm1(x), x);
}

template <typename T>
STRUCTURED_HOST_DEVICE T tanh(T x) {
  if constexpr (is_complex_v<T>) {
    return standard(x, [](const auto& z) {
      using std::tanh;
      return tanh(z);
    });
  } else {
    const T magnitude = std::fabs(x);
    const T limited = magnitude > detail::Constants<T>::kTanhHighest ? detail::Constants<T>::kTanhHighest : magnitude;
    const T e = detail::expm1(limited + limited);
    return std::copysign(e / (e + T(2)), x);
  }
}

/// Returns 1 + exp(x).
template <typename T>
STRUCTURED_HOST_DEVICE T one_plus_exp(T x) {
  if constexpr (is_complex_v<T>) {
    return T(1) + exp(x);
  } else {
    using C = detail::Constants<T>;
    constexpr T bias = T(C::kBias);
    typename C::Bits bits;
    // 2^n may overflow where exp(x) does not yet; 2^(n - 1) does not.
    const T y = detail::exp_near_0(detail::reduce_exp(x, bias - 1, bias + 1, bits));
    const T result = std::fma(y + y, detail::power_of_two<T>(bits), T(1));
    return x < C::kNegligibleExp ? T(1) : result;
  }
}

/// Returns 1 / (1 + exp(-x)).
template <typename T>
STRUCTURED_HOST_DEVICE T sigmoid(T x) {
  return T(1) / one_plus_exp(-x);
}

template <typename T>
STRUCTURED_HOST_DEVICE T log(T x) {
  if constexpr (is_complex_v<T>) {
    return standard(x, [](const auto& z) {
      using std::log;
      return log(z);
    });
  } else {
    using C = detail::Constants<T>;
    using Bits = typename C::Bits;
    using Limits = std::numeric_limits<T>;
    constexpr Bits one_bit = Bits(1) << C::kMantissa;
    const Bits root = detail::bits_of(T(0.70710678118654752440L));
    constexpr T scale = T(one_bit);  // makes subnormal numbers normal
    const bool is_small = x < Limits::min();
    const Bits shifted = detail::bits_of(is_small ? x * scale : x) - root + C::kBias * one_bit;
    // The exponent, as the bits of a number in [2^mantissa, 2^(mantissa + 1)).
    const T biased = detail::from_bits<T>(detail::bits_of(scale) | (shifted >> C::kMantissa)) - scale;
    const T n = biased - (is_small ? T(C::kBias + C::kMantissa) : T(C::kBias));
    const T f = detail::from_bits<T>((shifted & (one_bit - 1)) + root) - T(1);
    const T s = f / (T(2) + f);
    const T z = s * s;
    const T half_square = T(0.5) * f * f;
    const T tail = z * C::log(z);
    const T correction = std::fma(n, C::kLn2Low, s * (half_square + tail));
    const T result = std::fma(n, C::kLn2High, f - (half_square - correction));
    const T finite = x == Limits::infinity() ? x : result;
    return x > T(0) ? finite : x == T(0) ? -Limits::infinity() : Limits::quiet_NaN();
  }
}

/// Returns the error function of a real number.
template <typename T>
STRUCTURED_HOST_DEVICE T erf(T x) {
  if constexpr (std::is_same_v<T, float>) {
    // erf(x) / x - 1 in x^2 up to 1, error 1.3e-9; log(erfc(x)) from 1 to 4, error 1.7e-8
    constexpr float small[] = {0x1.48f5c8p-14f, -0x1.a3d65ap-11f, 0x1.5402b2p-8f, -0x1.b7f8e0p-6f,
                               0x1.ce2cf8p-4f,  -0x1.81273ep-2f,  0x1.06eba8p-3f};
    constexpr float large[] = {0x1.b7de4cp-20f, -0x1.829c0ap-15f, 0x1.390718p-11f, -0x1.380018p-8f, 0x1.b0efd8p-6f,
                               -0x1.c2e934p-4f, -0x1.437df2p-1f,  -0x1.215732p+0f, 0x1.5080ccp-12f};
    const float magnitude = std::fabs(x);
    const float limited = magnitude > 4.0f ? 4.0f : magnitude;
    const float near = std::fma(x, detail::polynomial(limited * limited, small), x);
    const float far = std::copysign(1.0f - exp_of_nonpositive(detail::polynomial(limited, large)), x);
    return magnitude < 1.0f ? near : far;
  } else {
    return std::erf(x);
  }
}

// Derivatives, for dual numbers.
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> exp(Dual<T> x) {
  const T value = exp(x.value);
  return chain(x, value, value);
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> expm1(Dual<T> x) {
  return chain(x, expm1(x.value), exp(x.value));
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> log(Dual<T> x) {
  return chain(x, log(x.value), T(T(1) / x.value));
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> one_plus_exp(Dual<T> x) {
  return chain(x, one_plus_exp(x.value), exp(x.value));
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> sigmoid(Dual<T> x) {
  const T value = sigmoid(x.value);
  return chain(x, value, T(value * sigmoid(-x.value)));
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> tanh(Dual<T> x) {
  const T gate = sigmoid(x.value + x.value);  // tanh(x) = 2 sigmoid(2 x) - 1
  return chain(x, tanh(x.value), T(T(4) * gate * sigmoid(-(x.value + x.value))));
}
template <typename T>
STRUCTURED_HOST_DEVICE Dual<T> erf(Dual<T> x) {
  return chain(x, erf(x.value), T(T(1.12837916709551257389615890312154517L) * exp(T(-x.value * x.value))));
}

}  // namespace structured::kernels::math
