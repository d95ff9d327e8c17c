// Scalar functions with every form of parameter, for tests of the kernels that are emitted for CUDA.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>
#include <structured/number/complex.h>
#include <structured/number/math.h>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace cudatest::kernels {

/// `self + factor * other`.
template <typename T>
[[structured::pointwise("plus", "plus_", "plus.out")]]
STRUCTURED_HOST_DEVICE T plus(T self, T other, [[structured::scalar]] T factor = 1) {
  if constexpr (std::is_same_v<T, bool>) {
    return self || (factor && other);
  } else {
    return static_cast<T>(self + factor * other);
  }
}

/// Whether `self` is above a number.
template <typename T>
[[structured::pointwise("above", "above.out"), structured::dtypes("integral", "floating")]]
STRUCTURED_HOST_DEVICE bool above(T self, [[structured::scalar("promotes")]] T limit) {
  return self > limit;
}

/// Smooth absolute value.
template <typename T>
[[structured::pointwise("smooth_abs", "smooth_abs_", "smooth_abs.out"), structured::promote("int_to_float"),
  structured::dtypes("floating")]]
STRUCTURED_HOST_DEVICE T smooth_abs(T self, double eps = 1e-6) {
  return structured::math::sqrt(self * self + static_cast<T>(eps));
}

/// `self` where `mask` is true, else `other`.
template <typename T>
[[structured::pointwise("choose", "choose.out"), structured::promote("no_opmath")]]
STRUCTURED_HOST_DEVICE T choose([[structured::tensor]] bool mask, T self, T other) {
  return mask ? self : other;
}

/// `self` within limits.
template <typename T>
[[structured::pointwise("limit", "limit_", "limit.out"), structured::dtypes("integral", "floating")]]
STRUCTURED_HOST_DEVICE T limit(T self, [[structured::scalar]] std::optional<T> low = std::nullopt,
                               [[structured::scalar]] std::optional<T> high = std::nullopt) {
  if (low && self < *low) return *low;
  return high && self > *high ? *high : self;
}

}  // namespace cudatest::kernels
