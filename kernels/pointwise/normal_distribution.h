// Inverse error function, scaled complementary error function, and functions of the normal distribution. Integer and
// Bool inputs are converted to the default dtype.
#pragma once

#include <structured/annotate.h>
#include <structured/base/export.h>

#include <cmath>
#include <limits>

#include "math/special.h"

namespace structured::kernels {

/// Inverse error function: the x with `erf(x) = self`; NaN outside [-1, 1]. Integer and Bool inputs are converted to
/// the default dtype.
template <typename T>
[[structured::pointwise("erfinv", "erfinv_", "erfinv.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T erfinv(T self) {
  const double y = static_cast<double>(self);
  const double size = std::fabs(y);
  if (!(size <= 1)) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(std::copysign(math::erfinv(size), y));
}

/// Quantile function (inverse cumulative distribution function) of the standard normal distribution; NaN outside [0,
/// 1]. Integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_ndtri", "special_ndtri.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_ndtri(T self) {
  constexpr double root = 1.41421356237309504880;
  const double p = static_cast<double>(self);
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<T>::quiet_NaN();
  return static_cast<T>(p < 0.5 ? -root * math::erfcinv(2 * p) : root * math::erfcinv(2 * (1 - p)));
}

/// Cumulative distribution function of the standard normal distribution, accurate in both tails. Integer and Bool
/// inputs are converted to the default dtype.
template <typename T>
[[structured::pointwise("special_ndtr", "special_ndtr.out"), structured::promote("int_to_float"),
  structured::dtypes("floating"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T special_ndtr(T self) {
  return static_cast<T>(std::erfc(static_cast<double>(self) * -0.70710678118654752440) / 2);
}

/// Logarithm of the cumulative distribution function of the standard normal distribution, accurate in the lower tail.
/// Integer and Bool inputs are converted to the default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_log_ndtr", "special_log_ndtr.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE T special_log_ndtr(T self) {
  const double x = static_cast<double>(self);
  const double t = x * 0.70710678118654752440;
  return static_cast<T>(x < -1 ? std::log(math::erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2));
}

/// Scaled complementary error function: `exp(self ** 2) * erfc(self)`. Integer and Bool inputs are converted to the
/// default dtype. Float and Double only.
template <typename T>
[[structured::pointwise("special_erfcx", "special_erfcx.out"), structured::promote("int_to_float"),
  structured::dtypes("float", "double"), structured::device_check(false), structured::tags("pointwise")]]
STRUCTURED_HOST_DEVICE T special_erfcx(T self) {
  return static_cast<T>(math::erfcx(static_cast<double>(self)));
}

}  // namespace structured::kernels
