#pragma once
// Operators shared by the formats smaller than float, such as Half and BFloat16: they compute in float.
#include <concepts>
#include <type_traits>

#include "structured/base/export.h"

namespace structured::detail {

/// Arithmetic with the same type or an integer gives Self; with float or double it gives float or double.
template <class Self>
class SmallFloat {
  template <class Number>
  using Result = std::conditional_t<std::is_floating_point_v<Number>, Number, Self>;

 public:
  STRUCTURED_HOST_DEVICE friend constexpr Self operator-(Self a) { return Self(-static_cast<float>(a)); }
  STRUCTURED_HOST_DEVICE friend constexpr Self operator+(Self a, Self b) { return Self(float(a) + float(b)); }
  STRUCTURED_HOST_DEVICE friend constexpr Self operator-(Self a, Self b) { return Self(float(a) - float(b)); }
  STRUCTURED_HOST_DEVICE friend constexpr Self operator*(Self a, Self b) { return Self(float(a) * float(b)); }
  STRUCTURED_HOST_DEVICE friend constexpr Self operator/(Self a, Self b) { return Self(float(a) / float(b)); }

  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator+(Self a, N b) {
    return Result<N>(a) + Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator+(N a, Self b) {
    return Result<N>(a) + Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator-(Self a, N b) {
    return Result<N>(a) - Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator-(N a, Self b) {
    return Result<N>(a) - Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator*(Self a, N b) {
    return Result<N>(a) * Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator*(N a, Self b) {
    return Result<N>(a) * Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator/(Self a, N b) {
    return Result<N>(a) / Result<N>(b);
  }
  template <class N>
    requires std::is_arithmetic_v<N>
  STRUCTURED_HOST_DEVICE friend constexpr Result<N> operator/(N a, Self b) {
    return Result<N>(a) / Result<N>(b);
  }

  template <class N>
    requires std::is_arithmetic_v<N> || std::same_as<N, Self>
  STRUCTURED_HOST_DEVICE friend constexpr Self& operator+=(Self& a, N b) {
    return a = Self(a + b);
  }
  template <class N>
    requires std::is_arithmetic_v<N> || std::same_as<N, Self>
  STRUCTURED_HOST_DEVICE friend constexpr Self& operator-=(Self& a, N b) {
    return a = Self(a - b);
  }
  template <class N>
    requires std::is_arithmetic_v<N> || std::same_as<N, Self>
  STRUCTURED_HOST_DEVICE friend constexpr Self& operator*=(Self& a, N b) {
    return a = Self(a * b);
  }
  template <class N>
    requires std::is_arithmetic_v<N> || std::same_as<N, Self>
  STRUCTURED_HOST_DEVICE friend constexpr Self& operator/=(Self& a, N b) {
    return a = Self(a / b);
  }
};

}  // namespace structured::detail

namespace structured {

/// Whether T is a floating-point format that is smaller than float, which computes its numbers. Each format specialises
/// it: T may be an incomplete class, where overloads are compared.
template <class T>
inline constexpr bool is_small_float_v = false;

}  // namespace structured
