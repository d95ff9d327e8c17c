#pragma once
// OpenBLAS, which is loaded when the first matrix is multiplied: it looks at the processor, takes memory and starts
// threads while it is loaded, three milliseconds that a program without matrices need not spend.
#include <cblas.h>
#include <structured/core/complex.h>

#include <cstdint>

namespace structured::kernels {

/// A matrix as BLAS takes it: rows of it, or of its transpose, are dense and `leading` elements apart.
template <class T>
struct BlasMatrix {
  const T* data;
  bool is_transposed;
  blasint leading;
};

/// `c = alpha a b + beta c` for `c` [m, n], whose rows are dense and `ldc` apart, and an inner size k > 0. `c` is not
/// read if `beta` is 0. For float, double, Complex<float> and Complex<double>. Throws Error if the library cannot be
/// loaded. Thread-safe.
template <class T>
void gemm(blasint m, blasint n, blasint k, T alpha, BlasMatrix<T> a, BlasMatrix<T> b, T beta, T* c, blasint ldc);

/// `y = alpha a x + beta y` for `a` [m, n], both positive; elements of `x` are `incx` > 0 apart. Likewise.
template <class T>
void gemv(blasint m, blasint n, T alpha, BlasMatrix<T> a, const T* x, blasint incx, T beta, T* y, blasint incy);

}  // namespace structured::kernels
