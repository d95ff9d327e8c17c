#pragma once
// Calls into OpenBLAS. The library is loaded by the first matrix product: loading detects the processor, allocates
// memory and starts threads, which takes about three milliseconds.
#include <cblas.h>
#include <structured/number/complex.h>

#include <cstdint>

namespace structured::kernels {

/// Matrix in the layout of BLAS: its rows, or those of its transpose, are dense and `leading` elements apart.
template <class T>
struct BlasMatrix {
  const T* data;
  bool is_transposed;
  blasint leading;
};

/// Computes `c = alpha a b + beta c` for `c` [m, n], whose rows are dense and `ldc` apart, with inner size k > 0. `c`
/// is not read if `beta` is 0. Supports float, double, Complex<float> and Complex<double>. Throws Error if the library
/// cannot be loaded. Thread-safe.
template <class T>
void gemm(blasint m, blasint n, blasint k, T alpha, BlasMatrix<T> a, BlasMatrix<T> b, T beta, T* c, blasint ldc);

/// Computes `y = alpha a x + beta y` for `a` [m, n] with m, n > 0; elements of `x` are `incx` > 0 apart. Types, errors
/// and thread safety are those of gemm.
template <class T>
void gemv(blasint m, blasint n, T alpha, BlasMatrix<T> a, const T* x, blasint incx, T beta, T* y, blasint incy);

#if defined(STRUCTURED_OPENBLAS_SONAME)
/// Returns the function `name` of OpenBLAS, ready to be called by this thread. Throws Error if the library cannot be
/// loaded or does not define the function.
void* openblas_function(const char* name);
#endif

/// Prepares the calling thread for calls into OpenBLAS. Called by gemm, gemv and openblas_function.
void prepare_openblas();

}  // namespace structured::kernels
