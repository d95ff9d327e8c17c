#pragma once
// Conversion between element types, as in copies and mixed-type loops. It never fails. Scalar adds the check that a
// number fits.
#include <cstdint>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/number/complex.h"
#include "structured/number/scalar_type.h"

namespace structured {

/// Fractions are truncated; integers wrap; every value but 0 is true, including NaN. Conversion from complex to real
/// drops the imaginary part. A floating-point number outside the range of an integer type gives an unspecified value,
/// except that Byte takes numbers in the range of int64_t modulo 256.
template <class To, class From>
STRUCTURED_HOST_DEVICE constexpr To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_complex_v<To> && is_complex_v<From>) {
    using Part = typename To::value_type;
    return To(convert<Part>(value.real()), convert<Part>(value.imag()));
  } else if constexpr (is_complex_v<To>) {
    return To(convert<typename To::value_type>(value));
  } else if constexpr (is_complex_v<From> && std::is_same_v<To, bool>) {
    return convert<bool>(value.real()) || convert<bool>(value.imag());
  } else if constexpr (is_complex_v<From>) {
    return convert<To>(value.real());
  } else if constexpr (is_small_float_v<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, uint8_t> && std::is_floating_point_v<From>) {
    return static_cast<To>(static_cast<int64_t>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace structured
