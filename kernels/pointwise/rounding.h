// Rounding to integers and fractional parts. Integer inputs are returned unchanged.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/standard.h"

namespace structured::kernels {

/// Rounds each element up to an integer. Integer inputs are returned unchanged. Bool and complex inputs are not
/// supported.
template <typename T>
[[structured::pointwise("ceil", "ceil_", "ceil.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T ceil(T self) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::ceil(self);
  } else {
    return self;
  }
}

/// Rounds each element down to an integer. Integer inputs are returned unchanged. Bool and complex inputs are not
/// supported.
template <typename T>
[[structured::pointwise("floor", "floor_", "floor.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T floor(T self) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::floor(self);
  } else {
    return self;
  }
}

/// Rounds each element towards 0 to an integer. Integer inputs are returned unchanged. Bool and complex inputs are not
/// supported.
template <typename T>
[[structured::pointwise("trunc", "trunc_", "trunc.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T trunc(T self) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::trunc(self);
  } else {
    return self;
  }
}

/// Rounds each element to the nearest integer, halves to even. Integer inputs are returned unchanged. Bool and complex
/// inputs are not supported.
template <typename T>
[[structured::pointwise("round", "round_", "round.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T round(T self) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::nearbyint(self);
  } else {
    return self;
  }
}

/// Rounds each element to `decimals` decimal places, halves to even; negative `decimals` round to the left of the
/// decimal point. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("round.decimals", "round_.decimals", "round.decimals_out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T round_decimals(T self, [[structured::kwonly]] int64_t decimals) {
  const T scale = std::pow(T(10), std::abs(static_cast<T>(decimals)));
  return decimals < 0 ? std::nearbyint(self / scale) * scale : std::nearbyint(self * scale) / scale;
}

/// Fractional part of each element: `self - trunc(self)`. Floating-point dtypes only.
template <typename T>
[[structured::pointwise("frac", "frac_", "frac.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T frac(T self) {
  return self - math::trunc(self);
}

}  // namespace structured::kernels
