// Orthogonal polynomials, by their recurrences.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace structured::kernels {

/// Greatest degree of Hermite polynomials, whose values overflow beyond it.
template <typename T>
inline constexpr int64_t kMaxHermiteDegree = sizeof(T) == sizeof(double) ? 512 : 128;

/// Returns the polynomial of this degree of a sequence that starts with `zeroth` and `first`. `next(k, last, before)`
/// returns the polynomial of degree k + 1 from those of degrees k and k - 1.
template <typename T, typename Next>
STRUCTURED_HOST_DEVICE T recurrence(int64_t degree, T zeroth, T first, Next next) {
  if (degree == 0) return zeroth;
  T before = zeroth;
  T last = first;
  for (int64_t k = 1; k < degree && !(last != last); ++k) {
    const T result = next(k, last, before);
    before = last;
    last = result;
  }
  return last;
}

/// Chebyshev polynomials at `x` of degree `n`, whose fraction is cut off; 0 for negative degrees. Degrees up to
/// `last_by_recurrence` are computed by recurrence, greater ones by trigonometric functions if |x| < 1.
template <typename T>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T first_kind(T x, T n, int64_t last_by_recurrence) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  if (x == T(1)) return T(1);
  if (x == T(-1)) return degree % 2 != 0 ? T(-1) : T(1);
  if (degree > last_by_recurrence && std::fabs(x) < T(1)) return std::cos(static_cast<T>(degree) * std::acos(x));
  return recurrence(degree, T(1), x, [x](int64_t, T last, T before) { return (x + x) * last - before; });
}
template <typename T>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T second_kind(T x, T n, int64_t last_by_recurrence) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  const T next = static_cast<T>(degree) + T(1);
  if (x == T(1)) return next;
  if (x == T(-1)) return degree % 2 != 0 ? -next : next;
  if (degree > last_by_recurrence && std::fabs(x) < T(1)) {
    const T angle = std::acos(x);
    const T sine = std::sin(angle);
    return sine != T(0) ? std::sin(next * angle) / sine : next * std::cos(next * angle) / x;
  }
  return recurrence(degree, T(1), x + x, [x](int64_t, T last, T before) { return (x + x) * last - before; });
}
template <typename T>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T third_kind(T x, T n, int64_t last_by_recurrence) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  const T count = static_cast<T>(degree);
  if (x == T(1)) return T(1);
  if (x == T(-1)) return degree % 2 != 0 ? -(count + count + T(1)) : count + count + T(1);
  if (degree > last_by_recurrence && std::fabs(x) < T(1)) {
    const T angle = std::acos(x);
    return std::cos((count + T(0.5)) * angle) / std::cos(angle / T(2));
  }
  return recurrence(degree, T(1), x + x - T(1), [x](int64_t, T last, T before) { return (x + x) * last - before; });
}
template <typename T>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T fourth_kind(T x, T n, int64_t last_by_recurrence) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  const T count = static_cast<T>(degree);
  if (x == T(1)) return count + count + T(1);
  if (x == T(-1)) return degree % 2 != 0 ? T(-1) : T(1);
  if (degree > last_by_recurrence && std::fabs(x) < T(1)) {
    const T angle = std::acos(x);
    return std::sin((count + T(0.5)) * angle) / std::sin(angle / T(2));
  }
  return recurrence(degree, T(1), x + x + T(1), [x](int64_t, T last, T before) { return (x + x) * last - before; });
}

/// Chebyshev polynomial of the first kind of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut
/// off. Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_chebyshev_polynomial_t", "special_chebyshev_polynomial_t.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T chebyshev_t(T x, T n) {
  return first_kind<T>(x, n, 6);
}

/// Chebyshev polynomial of the second kind of degree `n` at `x`; 0 for negative degrees. Fractions of
/// degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and
/// Double only.
template <typename T>
[[structured::pointwise("special_chebyshev_polynomial_u", "special_chebyshev_polynomial_u.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T chebyshev_u(T x, T n) {
  return second_kind<T>(x, n, 8);
}

/// Chebyshev polynomial of the third kind of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut
/// off. Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_chebyshev_polynomial_v", "special_chebyshev_polynomial_v.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T chebyshev_v(T x, T n) {
  return third_kind<T>(x, n, 8);
}

/// Chebyshev polynomial of the fourth kind of degree `n` at `x`; 0 for negative degrees. Fractions of
/// degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and
/// Double only.
template <typename T>
[[structured::pointwise("special_chebyshev_polynomial_w", "special_chebyshev_polynomial_w.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T chebyshev_w(T x, T n) {
  return fourth_kind<T>(x, n, 8);
}

/// Shifted Chebyshev polynomial of the first kind, the polynomial at `2 * x - 1`, of degree `n` at `x`; 0 for negative
/// degrees. Fractions of degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_shifted_chebyshev_polynomial_t", "special_shifted_chebyshev_polynomial_t.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T shifted_chebyshev_t(T x, T n) {
  return first_kind<T>(x + x - T(1), n, 6);
}

/// Shifted Chebyshev polynomial of the second kind, the polynomial at `2 * x - 1`, of degree `n` at `x`; 0 for negative
/// degrees. Fractions of degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_shifted_chebyshev_polynomial_u", "special_shifted_chebyshev_polynomial_u.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T shifted_chebyshev_u(T x, T n) {
  return second_kind<T>(x + x - T(1), n, 6);
}

/// Shifted Chebyshev polynomial of the third kind, the polynomial at `2 * x - 1`, of degree `n` at `x`; 0 for negative
/// degrees. Fractions of degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_shifted_chebyshev_polynomial_v", "special_shifted_chebyshev_polynomial_v.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T shifted_chebyshev_v(T x, T n) {
  return third_kind<T>(x + x - T(1), n, 6);
}

/// Shifted Chebyshev polynomial of the fourth kind, the polynomial at `2 * x - 1`, of degree `n` at `x`; 0 for negative
/// degrees. Fractions of degrees are cut off. Inputs are broadcast; integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_shifted_chebyshev_polynomial_w", "special_shifted_chebyshev_polynomial_w.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T shifted_chebyshev_w(T x, T n) {
  return fourth_kind<T>(x + x - T(1), n, 4);
}

/// Physicist's Hermite polynomial of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut off.
/// Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_hermite_polynomial_h", "special_hermite_polynomial_h.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T hermite_h(T x, T n) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  if (degree > kMaxHermiteDegree<T>) return std::numeric_limits<T>::quiet_NaN();
  return recurrence(degree, T(1), x + x,
                    [x](int64_t k, T last, T before) { return (x + x) * last - static_cast<T>(k + k) * before; });
}

/// Probabilist's Hermite polynomial of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut off.
/// Inputs are broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_hermite_polynomial_he", "special_hermite_polynomial_he.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T hermite_he(T x, T n) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  if (degree > kMaxHermiteDegree<T>) return std::numeric_limits<T>::quiet_NaN();
  return recurrence(degree, T(1), x,
                    [x](int64_t k, T last, T before) { return x * last - static_cast<T>(k) * before; });
}

/// Laguerre polynomial of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut off. Inputs are
/// broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_laguerre_polynomial_l", "special_laguerre_polynomial_l.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T laguerre_l(T x, T n) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  if (x == T(0)) return T(1);
  return recurrence(degree, T(1), T(1) - x, [x](int64_t k, T last, T before) {
    return ((static_cast<T>(k + k) + (T(1) - x)) * last - static_cast<T>(k) * before) / static_cast<T>(k + 1);
  });
}

/// Legendre polynomial of degree `n` at `x`; 0 for negative degrees. Fractions of degrees are cut off. Inputs are
/// broadcast; integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_legendre_polynomial_p", "special_legendre_polynomial_p.out"),
  structured::promote("int_to_float"), structured::dtypes("float", "double"), structured::device_check(false),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T legendre_p(T x, T n) {
  const auto degree = static_cast<int64_t>(n);
  if (degree < 0) return T(0);
  if (std::fabs(x) == T(1)) return x > T(0) || degree % 2 == 0 ? T(1) : T(-1);
  return recurrence(degree, T(1), x, [x](int64_t k, T last, T before) {
    return (static_cast<T>(k + k + 1) * x * last - static_cast<T>(k) * before) / static_cast<T>(k + 1);
  });
}

}  // namespace structured::kernels
