// The greater and the smaller of numbers.
#pragma once

#include <structured/annotate.h>
#include <structured/core/export.h>

#include <optional>
#include <type_traits>

#include "pointwise/comparison.h"

namespace structured::kernels {

/// The greater of both; NaN if one is NaN.
template <typename T>
[[structured::pointwise("maximum", "maximum.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T maximum(T self, T other) {
  return is_nan(self) || self > other ? self : other;
}

/// The smaller of both; NaN if one is NaN.
template <typename T>
[[structured::pointwise("minimum", "minimum.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T minimum(T self, T other) {
  return is_nan(self) || self < other ? self : other;
}

/// The greater of both; the other one if one is NaN.
template <typename T>
[[structured::pointwise("fmax", "fmax.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmax(T self, T other) {
  return is_nan(other) || self > other ? self : other;
}

/// The smaller of both; the other one if one is NaN.
template <typename T>
[[structured::pointwise("fmin", "fmin.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmin(T self, T other) {
  return is_nan(other) || self < other ? self : other;
}

/// `self`, but at most a number. NaN stays NaN.
template <typename T>
[[structured::pointwise("clamp_max", "clamp_max_", "clamp_max.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_max(T self, [[structured::scalar("promotes")]] T max) {
  return self > max || is_nan(max) ? max : self;
}

/// `self`, but at most `max`. NaN stays NaN.
template <typename T>
[[structured::pointwise("clamp_max.Tensor", "clamp_max_.Tensor", "clamp_max.Tensor_out"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_max_tensor(T self, T max) {
  return clamp_max<T>(self, max);
}

/// `self`, but at least a number. NaN stays NaN.
template <typename T>
[[structured::pointwise("clamp_min", "clamp_min_", "clamp_min.out"), structured::dtypes("integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_min(T self, [[structured::scalar("promotes")]] T min) {
  return self < min || is_nan(min) ? min : self;
}

/// `self`, but at least `min`. NaN stays NaN.
template <typename T>
[[structured::pointwise("clamp_min.Tensor", "clamp_min_.Tensor", "clamp_min.Tensor_out"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_min_tensor(T self, T min) {
  return clamp_min<T>(self, min);
}

}  // namespace structured::kernels
