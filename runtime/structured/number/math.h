#pragma once
// Functions of <cmath> for real numbers and dual numbers. Scalar functions call them as `math::exp(x)`: `std::exp` does
// not accept dual numbers, from which derivatives are computed.
#include <cmath>

#include "structured/base/export.h"
#include "structured/number/dual.h"

namespace structured::math {

using std::abs;
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cbrt;
using std::ceil;
using std::copysign;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::hypot;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::nearbyint;
using std::pow;
using std::remainder;
using std::rint;
using std::round;
using std::signbit;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;

/// The dual number f(x), from the values of f and of its derivative.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> chain(const Dual<T>& x, const T& value, const T& derivative) {
  return {value, slope_times(x.derivative, derivative)};
}

/// The dual number f(a, b), from the values of f and of its partial derivatives.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> chain(const Dual<T>& a, const Dual<T>& b, const T& value, const T& by_a, const T& by_b) {
  return {value, slope_times(a.derivative, by_a) + slope_times(b.derivative, by_b)};
}

// Piecewise linear functions. The derivative of fabs at 0 is 0.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> fabs(const Dual<T>& x) {
  const T sign = static_cast<T>(x.value > T(0)) - static_cast<T>(x.value < T(0));
  return chain(x, fabs(x.value), sign);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> abs(const Dual<T>& x) {
  return fabs(x);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> floor(const Dual<T>& x) {
  return floor(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> ceil(const Dual<T>& x) {
  return ceil(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> trunc(const Dual<T>& x) {
  return trunc(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> round(const Dual<T>& x) {
  return round(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> nearbyint(const Dual<T>& x) {
  return nearbyint(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> rint(const Dual<T>& x) {
  return rint(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> fmod(const Dual<T>& a, const Dual<T>& b) {
  return chain(a, b, fmod(a.value, b.value), T(1), T(-trunc(a.value / b.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> remainder(const Dual<T>& a, const Dual<T>& b) {
  const T value = remainder(a.value, b.value);
  return chain(a, b, value, T(1), T((value - a.value) / b.value));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> fmax(const Dual<T>& a, const Dual<T>& b) {
  return b.value != b.value || a.value >= b.value ? a : b;
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> fmin(const Dual<T>& a, const Dual<T>& b) {
  return b.value != b.value || a.value <= b.value ? a : b;
}
/// The derivative with respect to `sign` is 0, and that with respect to `x` at 0.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> copysign(const Dual<T>& x, const Dual<T>& sign) {
  const T value = copysign(x.value, sign.value);
  return {value, x.value == T(0) ? T(0) : (x.value < T(0)) == (value < T(0)) ? x.derivative : -x.derivative};
}

// Tests of the value.
template <class T>
STRUCTURED_HOST_DEVICE bool isnan(const Dual<T>& x) {
  return isnan(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE bool isinf(const Dual<T>& x) {
  return isinf(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE bool isfinite(const Dual<T>& x) {
  return isfinite(x.value);
}
template <class T>
STRUCTURED_HOST_DEVICE bool signbit(const Dual<T>& x) {
  return signbit(x.value);
}

// Roots and powers.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> sqrt(const Dual<T>& x) {
  const T root = sqrt(x.value);
  return chain(x, root, T(T(0.5) / root));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> cbrt(const Dual<T>& x) {
  const T root = cbrt(x.value);
  return chain(x, root, T(T(1) / (T(3) * root * root)));
}
/// At a zero length, the derivatives are 0.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> hypot(const Dual<T>& a, const Dual<T>& b) {
  const T length = hypot(a.value, b.value);
  return is_zero(length) ? Dual<T>(length) : chain(a, b, length, T(a.value / length), T(b.value / length));
}
/// The derivative with respect to `exponent` is 0 at the base 0.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> pow(const Dual<T>& base, const Dual<T>& exponent);
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> fma(const Dual<T>& a, const Dual<T>& b, const Dual<T>& c) {
  return {fma(a.value, b.value, c.value),
          slope_times(a.derivative, b.value) + slope_times(b.derivative, a.value) + c.derivative};
}

// Exponentials and logarithms.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> exp(const Dual<T>& x) {
  const T value = exp(x.value);
  return chain(x, value, value);
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> exp2(const Dual<T>& x) {
  const T value = exp2(x.value);
  return chain(x, value, T(value * T(0.693147180559945309417232121458176568L)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> expm1(const Dual<T>& x) {
  return chain(x, T(expm1(x.value)), T(exp(x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> log(const Dual<T>& x) {
  return chain(x, T(log(x.value)), T(T(1) / x.value));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> log2(const Dual<T>& x) {
  return chain(x, T(log2(x.value)), T(T(1.44269504088896340735992468100189214L) / x.value));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> log10(const Dual<T>& x) {
  return chain(x, T(log10(x.value)), T(T(0.434294481903251827651128918916605082L) / x.value));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> log1p(const Dual<T>& x) {
  return chain(x, T(log1p(x.value)), T(T(1) / (T(1) + x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> pow(const Dual<T>& base, const Dual<T>& exponent) {
  const T value = pow(base.value, exponent.value);
  const T by_base = is_zero(exponent.value) ? T(0) : T(exponent.value * pow(base.value, T(exponent.value - T(1))));
  const T by_exponent = base.value == T(0) ? T(0) : T(value * log(base.value));
  return chain(base, exponent, value, by_base, by_exponent);
}

// Trigonometric and hyperbolic functions, and their inverses.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> cos(const Dual<T>& x);
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> sin(const Dual<T>& x) {
  return chain(x, T(sin(x.value)), T(cos(x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> cos(const Dual<T>& x) {
  return chain(x, T(cos(x.value)), T(-sin(x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> tan(const Dual<T>& x) {
  const T value = tan(x.value);
  return chain(x, value, T(T(1) + value * value));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> asin(const Dual<T>& x) {
  return chain(x, T(asin(x.value)), T(T(1) / sqrt(T(T(1) - x.value * x.value))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> acos(const Dual<T>& x) {
  return chain(x, T(acos(x.value)), T(T(-1) / sqrt(T(T(1) - x.value * x.value))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> atan(const Dual<T>& x) {
  return chain(x, T(atan(x.value)), T(T(1) / (T(1) + x.value * x.value)));
}
/// At the origin, the derivatives are 0.
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  const T angle = atan2(y.value, x.value);
  const T square = x.value * x.value + y.value * y.value;
  return is_zero(square) ? Dual<T>(angle) : chain(y, x, angle, T(x.value / square), T(-y.value / square));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> cosh(const Dual<T>& x);
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> sinh(const Dual<T>& x) {
  return chain(x, T(sinh(x.value)), T(cosh(x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> cosh(const Dual<T>& x) {
  return chain(x, T(cosh(x.value)), T(sinh(x.value)));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> tanh(const Dual<T>& x) {
  // 1 / cosh(x)^2, in which nothing overflows
  const T e = exp(T(T(-2) * fabs(x.value)));
  return chain(x, T(tanh(x.value)), T(T(4) * e / ((T(1) + e) * (T(1) + e))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> asinh(const Dual<T>& x) {
  return chain(x, T(asinh(x.value)), T(T(1) / sqrt(T(x.value * x.value + T(1)))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> acosh(const Dual<T>& x) {
  return chain(x, T(acosh(x.value)), T(T(1) / sqrt(T(x.value * x.value - T(1)))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> atanh(const Dual<T>& x) {
  return chain(x, T(atanh(x.value)), T(T(1) / (T(1) - x.value * x.value)));
}

// Error functions. The derivative of erf(x) is 2 / sqrt(pi) * exp(-x^2).
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> erf(const Dual<T>& x) {
  return chain(x, T(erf(x.value)), T(T(1.12837916709551257389615890312154517L) * exp(T(-x.value * x.value))));
}
template <class T>
STRUCTURED_HOST_DEVICE Dual<T> erfc(const Dual<T>& x) {
  return chain(x, T(erfc(x.value)), T(T(-1.12837916709551257389615890312154517L) * exp(T(-x.value * x.value))));
}

}  // namespace structured::math
