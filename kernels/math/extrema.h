// Minimum and maximum that propagate NaN.
#pragma once

#include <structured/base/export.h>

namespace structured::kernels {

// Compares by value instead of calling <cmath>, so that loops are vectorized.
template <class T>
STRUCTURED_HOST_DEVICE constexpr bool is_nan(T x) {
  return x != x;
}

/// Returns the greater of `a` and `b`: `a` if it is NaN, `b` if they are equal. Uses two selections instead of one with
/// a combined condition: compilers turn the first into one instruction.
template <class T>
STRUCTURED_HOST_DEVICE constexpr T max_propagate_nan(T a, T b) {
  const T greater = a > b ? a : b;
  return is_nan(a) ? a : greater;
}

/// Returns the smaller of `a` and `b`: `a` if it is NaN, `b` if they are equal.
template <class T>
STRUCTURED_HOST_DEVICE constexpr T min_propagate_nan(T a, T b) {
  const T smaller = a < b ? a : b;
  return is_nan(a) ? a : smaller;
}

/// Returns whether `value` replaces `best` in a search for the maximum: the first of equal elements stays, and NaN
/// replaces everything.
template <class T>
STRUCTURED_HOST_DEVICE constexpr bool replaces_max(T value, T best) {
  return value > best || is_nan(value);
}

}  // namespace structured::kernels
