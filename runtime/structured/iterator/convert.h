#pragma once
// From one element type to another.
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "structured/core/complex.h"
#include "structured/core/export.h"
#include "structured/core/scalar_type.h"

namespace structured {

/// As in C++, with these additions: what is not zero becomes true, a complex number loses its imaginary part where `To`
/// is real, and real numbers become integers by way of int64_t (so that -1.0 is 255 as uint8_t everywhere).
template <class To, class From>
STRUCTURED_HOST_DEVICE constexpr To convert(const From& value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else if constexpr (is_complex_v<From> && is_complex_v<To>) {
    using Part = typename To::value_type;
    return To(convert<Part>(value.real()), convert<Part>(value.imag()));
  } else if constexpr (is_complex_v<From> && std::same_as<To, bool>) {
    return convert<bool>(value.real()) || convert<bool>(value.imag());
  } else if constexpr (is_complex_v<From>) {
    return convert<To>(value.real());
  } else if constexpr (is_complex_v<To>) {
    return To(convert<typename To::value_type>(value));
  } else if constexpr (std::same_as<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    return static_cast<To>(static_cast<std::int64_t>(value));
  } else if constexpr (std::is_arithmetic_v<To>) {
    return static_cast<To>(value);
  } else {
    return To(static_cast<float>(value));  // Half and BFloat16
  }
}

namespace detail {

/// Converts `count` elements; strides are in bytes. The two may be the same memory if their elements have equal size
/// and stride, and do not overlap otherwise.
using ConvertRow = void (*)(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                            std::int64_t count);

/// Throws Error for quantized types, unless both are the same.
STRUCTURED_API ConvertRow convert_row(ScalarType to, ScalarType from);

}  // namespace detail
}  // namespace structured
