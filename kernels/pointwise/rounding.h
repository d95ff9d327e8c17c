// Rounding to integers, and what remains. Integers are rounded already.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace structured::kernels {

/// Up.
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

/// Down.
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

/// Towards 0.
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

/// To the nearest integer, to the even one of two.
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

/// To the nearest multiple of a power of ten: to so many decimals.
template <typename T>
[[structured::pointwise("round.decimals", "round_.decimals", "round.decimals_out"), structured::dtypes("floating"),
  structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T round_decimals(T self, [[structured::kwonly]] int64_t decimals) {
  const T scale = std::pow(T(10), std::abs(static_cast<T>(decimals)));
  return decimals < 0 ? std::nearbyint(self / scale) * scale : std::nearbyint(self * scale) / scale;
}

/// `self` without its integral part.
template <typename T>
[[structured::pointwise("frac", "frac_", "frac.out"), structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T frac(T self) {
  return self - std::trunc(self);
}

}  // namespace structured::kernels
