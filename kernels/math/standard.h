// Functions of <cmath> for all element types. Calls with complex numbers need math/standard_complex.h as well.
#pragma once

#include <structured/base/export.h>
#include <structured/number/complex.h>
#include <structured/number/math.h>

namespace structured::kernels::math {

// The functions that this namespace does not define itself, for real and for dual numbers.
using namespace structured::math;

/// `Type` is the standard library's complex number with parts of type T. Defined in math/standard_complex.h, since its
/// headers are as large as all others that a scalar function needs, and most functions are of real numbers.
template <typename T>
struct StandardComplexOf;

template <typename T>
using StandardComplex = typename StandardComplexOf<T>::Type;

template <typename T, typename Function>
STRUCTURED_HOST_DEVICE STRUCTURED_NOINLINE_ON_DEVICE Complex<T> standard_of_complex(Complex<T> x, Function function) {
  const StandardComplex<T> result = function(StandardComplex<T>(x.real(), x.imag()));
  return {result.real(), result.imag()};
}

/// Returns `function(x)` for a generic callable. Complex numbers are passed as StandardComplex.
template <typename T, typename Function>
STRUCTURED_HOST_DEVICE T standard(T x, Function function) {
  if constexpr (is_complex_v<T>) {
    return standard_of_complex(x, function);
  } else {
    return function(x);
  }
}

}  // namespace structured::kernels::math
