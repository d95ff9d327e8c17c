// The standard library's complex numbers, for functions that math/standard.h passes them to.
#pragma once

#include "math/standard.h"

#ifdef __CUDACC__
#include <cuda/std/complex>
#else
#include <complex>
#endif

namespace structured::kernels::math {

template <typename T>
struct StandardComplexOf {
#ifdef __CUDACC__
  using Type = ::cuda::std::complex<T>;
#else
  using Type = std::complex<T>;
#endif
};

}  // namespace structured::kernels::math
