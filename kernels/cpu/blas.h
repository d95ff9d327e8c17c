#pragma once
// OpenBLAS, which is loaded when the first matrix is multiplied: it looks at the processor, takes memory and starts
// threads while it is loaded, three milliseconds that a program without matrices need not spend.
#include <cblas.h>

namespace structured::kernels {

/// Row-major, `c = a * b`. Throw Error if the library cannot be loaded. Thread-safe.
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, const float* a, blasint lda,
          const float* b, blasint ldb, float* c, blasint ldc);
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, const double* a, blasint lda,
          const double* b, blasint ldb, double* c, blasint ldc);

}  // namespace structured::kernels
