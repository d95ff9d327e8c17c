// Functions of <cmath> for all element types; complex numbers are converted to std::complex.
#pragma once

#include <structured/core/complex.h>
#include <structured/core/export.h>
#include <structured/core/math.h>

#include <cmath>
#ifdef __CUDACC__
#include <cuda/std/complex>
#else
#include <complex>
#endif

namespace structured::kernels::math {

// The functions that this namespace does not define itself, for real and for dual numbers.
using namespace structured::math;

#ifdef __CUDACC__
template <typename T>
using StandardComplex = ::cuda::std::complex<T>;
#else
template <typename T>
using StandardComplex = std::complex<T>;
#endif

/// Returns `function(x)` for a generic callable. Complex numbers are passed as StandardComplex.
template <typename T, typename Function>
STRUCTURED_HOST_DEVICE T standard(T x, Function function) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const StandardComplex<Part> result = function(StandardComplex<Part>(x.real(), x.imag()));
    return T(result.real(), result.imag());
  } else {
    return function(x);
  }
}

}  // namespace structured::kernels::math
