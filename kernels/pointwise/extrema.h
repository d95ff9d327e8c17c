// Elementwise minimum, maximum and clamping.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <optional>
#include <type_traits>

#include "math/extrema.h"

namespace structured::kernels {

/// Elementwise maximum; NaN if either element is NaN. Inputs are broadcast and promoted to a common dtype. Complex
/// inputs are not supported.
template <typename T>
[[structured::pointwise("maximum", "maximum.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T maximum(T self, T other) {
  return max_propagate_nan(self, other);
}

/// Elementwise minimum; NaN if either element is NaN. Inputs are broadcast and promoted to a common dtype. Complex
/// inputs are not supported.
template <typename T>
[[structured::pointwise("minimum", "minimum.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T minimum(T self, T other) {
  return min_propagate_nan(self, other);
}

/// Elementwise maximum that ignores NaN: if one element is NaN, returns the other. Inputs are broadcast and promoted to
/// a common dtype. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("fmax", "fmax.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmax(T self, T other) {
  return is_nan(other) || self > other ? self : other;
}

/// Elementwise minimum that ignores NaN: if one element is NaN, returns the other. Inputs are broadcast and promoted to
/// a common dtype. Complex inputs are not supported.
template <typename T>
[[structured::pointwise("fmin", "fmin.out"), structured::dtypes("bool", "integral", "floating"),
  structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T fmin(T self, T other) {
  return is_nan(other) || self < other ? self : other;
}

/// Returns the smaller of `self` and `max`, NaN if either is.
template <typename T>
STRUCTURED_HOST_DEVICE T clamp_max(T self, T max) {
  return self > max || is_nan(max) ? max : self;
}

/// Elementwise `min(self, max)` with a tensor bound. Inputs are broadcast and promoted to a common dtype. NaN is
/// propagated.
template <typename T>
[[structured::pointwise("clamp_max.Tensor", "clamp_max_.Tensor", "clamp_max.Tensor_out"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_max_tensor(T self, T max) {
  return clamp_max<T>(self, max);
}

/// Returns the greater of `self` and `min`, NaN if either is.
template <typename T>
STRUCTURED_HOST_DEVICE T clamp_min(T self, T min) {
  return self < min || is_nan(min) ? min : self;
}

/// Elementwise `max(self, min)` with a tensor bound. Inputs are broadcast and promoted to a common dtype. NaN is
/// propagated.
template <typename T>
[[structured::pointwise("clamp_min.Tensor", "clamp_min_.Tensor", "clamp_min.Tensor_out"),
  structured::dtypes("bool", "integral", "floating"), structured::tags("core", "pointwise")]]
STRUCTURED_HOST_DEVICE T clamp_min_tensor(T self, T min) {
  return clamp_min<T>(self, min);
}

/// Gradient for `a` of the greater of `a` and `b`: half of it if they are equal. If one is NaN, both get all of it.
template <typename T>
STRUCTURED_HOST_DEVICE T greater_gradient(T grad, T a, T b) {
  return a == b ? grad / T(2) : a < b ? T(0) : grad;
}
/// Gradient for `a` of the smaller of `a` and `b`: half of it if they are equal. If one is NaN, both get all of it.
template <typename T>
STRUCTURED_HOST_DEVICE T smaller_gradient(T grad, T a, T b) {
  return a == b ? grad / T(2) : a > b ? T(0) : grad;
}

template <typename T>
[[structured::backward("maximum", "self")]]
STRUCTURED_HOST_DEVICE T maximum_self(T grad, T self, T other) {
  return greater_gradient(grad, self, other);
}
template <typename T>
[[structured::backward("maximum", "other")]]
STRUCTURED_HOST_DEVICE T maximum_other(T grad, T self, T other) {
  return greater_gradient(grad, other, self);
}
template <typename T>
[[structured::backward("minimum", "self")]]
STRUCTURED_HOST_DEVICE T minimum_self(T grad, T self, T other) {
  return smaller_gradient(grad, self, other);
}
template <typename T>
[[structured::backward("minimum", "other")]]
STRUCTURED_HOST_DEVICE T minimum_other(T grad, T self, T other) {
  return smaller_gradient(grad, other, self);
}

// Only the number of a pair with NaN gets a gradient.
template <typename T>
[[structured::backward("fmax", "self")]]
STRUCTURED_HOST_DEVICE T fmax_self(T grad, T self, T other) {
  return is_nan(other) ? grad : is_nan(self) ? T(0) : greater_gradient(grad, self, other);
}
template <typename T>
[[structured::backward("fmax", "other")]]
STRUCTURED_HOST_DEVICE T fmax_other(T grad, T self, T other) {
  return is_nan(other) ? T(0) : is_nan(self) ? grad : greater_gradient(grad, other, self);
}
template <typename T>
[[structured::backward("fmin", "self")]]
STRUCTURED_HOST_DEVICE T fmin_self(T grad, T self, T other) {
  return is_nan(other) ? grad : is_nan(self) ? T(0) : smaller_gradient(grad, self, other);
}
template <typename T>
[[structured::backward("fmin", "other")]]
STRUCTURED_HOST_DEVICE T fmin_other(T grad, T self, T other) {
  return is_nan(other) ? T(0) : is_nan(self) ? grad : smaller_gradient(grad, other, self);
}

template <typename T>
[[structured::backward("clamp_max.Tensor", "self")]]
STRUCTURED_HOST_DEVICE T clamp_max_self(T grad, T self, T max) {
  return smaller_gradient(grad, self, max);
}
template <typename T>
[[structured::backward("clamp_max.Tensor", "max")]]
STRUCTURED_HOST_DEVICE T clamp_max_bound(T grad, T self, T max) {
  return smaller_gradient(grad, max, self);
}
template <typename T>
[[structured::backward("clamp_min.Tensor", "self")]]
STRUCTURED_HOST_DEVICE T clamp_min_self(T grad, T self, T min) {
  return greater_gradient(grad, self, min);
}
template <typename T>
[[structured::backward("clamp_min.Tensor", "min")]]
STRUCTURED_HOST_DEVICE T clamp_min_bound(T grad, T self, T min) {
  return greater_gradient(grad, min, self);
}

}  // namespace structured::kernels
