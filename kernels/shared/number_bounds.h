#pragma once
// Numbers as elements of a dtype that may not hold them.
#include <structured/number/bfloat16.h>
#include <structured/number/half.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace structured::kernels {

/// Returns the greatest number of `dtype`, whose elements may be computed in a wider T.
template <class T>
T greatest_number(ScalarType dtype) {
  if (dtype == kHalf) return static_cast<T>(std::numeric_limits<Half>::max());
  if (dtype == kBFloat16) return static_cast<T>(std::numeric_limits<BFloat16>::max());
  return std::numeric_limits<T>::max();
}

/// Returns the bound as an element: an integer out of range becomes the least or greatest one.
template <class T>
T nearest(const Scalar& bound) {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp<int64_t>(bound.to<int64_t>(), Limits::lowest(), Limits::max()));
  } else {
    return bound.converted<T>();
  }
}

}  // namespace structured::kernels
