#pragma once
// Dual numbers: a function that is computed on them computes its derivative, too.
#include <concepts>
#include <limits>
#include <type_traits>

#include "structured/base/export.h"

namespace structured {

template <class T>
struct Dual;

template <class T>
STRUCTURED_HOST_DEVICE constexpr bool is_zero(T x) {
  return x == T(0);
}
/// Whether the number and its derivatives are 0.
template <class T>
STRUCTURED_HOST_DEVICE constexpr bool is_zero(const Dual<T>& x);

/// `slope * factor`, and 0 if `slope` is 0, even for an infinite factor: a constant has no derivative.
template <class T>
STRUCTURED_HOST_DEVICE constexpr T slope_times(const T& slope, const T& factor) {
  return is_zero(slope) ? T(0) : slope * factor;
}

/// A number with its derivative with respect to one variable. Comparisons look at the value only. Converts to no other
/// type, so that code that would lose the derivative does not compile. Dual<Dual<T>> has second derivatives.
template <class T>
struct Dual {
  T value = T(0);
  T derivative = T(0);

  constexpr Dual() = default;
  /// A constant.
  template <class Number>
    requires std::is_arithmetic_v<Number> || std::same_as<Number, T>
  STRUCTURED_HOST_DEVICE constexpr Dual(Number constant) : value(static_cast<T>(constant)) {}
  STRUCTURED_HOST_DEVICE constexpr Dual(T number, T slope) : value(number), derivative(slope) {}

  STRUCTURED_HOST_DEVICE constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  STRUCTURED_HOST_DEVICE constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  STRUCTURED_HOST_DEVICE constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  STRUCTURED_HOST_DEVICE constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  STRUCTURED_HOST_DEVICE friend constexpr Dual operator+(const Dual& a) { return a; }
  STRUCTURED_HOST_DEVICE friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
  STRUCTURED_HOST_DEVICE friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  STRUCTURED_HOST_DEVICE friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  STRUCTURED_HOST_DEVICE friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, slope_times(a.derivative, b.value) + slope_times(b.derivative, a.value)};
  }
  STRUCTURED_HOST_DEVICE friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value / b.value;
    const T slope = a.derivative - slope_times(b.derivative, quotient);
    return {quotient, is_zero(slope) ? T(0) : slope / b.value};
  }

  STRUCTURED_HOST_DEVICE friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  STRUCTURED_HOST_DEVICE friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
};

template <class T>
STRUCTURED_HOST_DEVICE constexpr bool is_zero(const Dual<T>& x) {
  return is_zero(x.value) && is_zero(x.derivative);
}

template <class T>
inline constexpr bool is_dual_v = false;
template <class T>
inline constexpr bool is_dual_v<Dual<T>> = true;

/// Whether T is a real floating-point number, or a dual number of one. Scalar functions test this instead of
/// std::is_floating_point_v, which is false for dual numbers.
template <class T>
inline constexpr bool is_floating_point_v = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_floating_point_v<Dual<T>> = is_floating_point_v<T>;

}  // namespace structured

/// Limits of the value.
template <class T>
struct std::numeric_limits<structured::Dual<T>> : std::numeric_limits<T> {};
