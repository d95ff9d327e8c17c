// Powers of real, integer and complex numbers.
#pragma once

#include <structured/base/export.h>
#include <structured/number/complex.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "math/standard_complex.h"

namespace structured::kernels::math {

/// Returns `base` to the power of `exponent`. Integers wrap; a negative power of an integer is truncated.
template <typename T>
STRUCTURED_HOST_DEVICE T pow(T base, T exponent) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    using std::pow;
    const auto result =
        pow(StandardComplex<Part>(base.real(), base.imag()), StandardComplex<Part>(exponent.real(), exponent.imag()));
    return T(result.real(), result.imag());
  } else if constexpr (std::is_integral_v<T>) {
    if (std::is_signed_v<T> && exponent < 0) {
      if (base == 1) return 1;
      return base == static_cast<T>(-1) ? static_cast<T>(exponent % 2 == 0 ? 1 : -1) : static_cast<T>(0);
    }
    uint64_t result = 1;
    uint64_t square = static_cast<uint64_t>(base);
    for (auto left = static_cast<uint64_t>(exponent); left != 0; left >>= 1) {
      if (left & 1) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  } else {
    return std::pow(base, exponent);
  }
}

}  // namespace structured::kernels::math
