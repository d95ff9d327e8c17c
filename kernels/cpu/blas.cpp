#include "blas.h"

#include <structured/core/error.h>
#include <structured/iterator/parallel.h>

#if defined(STRUCTURED_OPENBLAS_SONAME)
#include <dlfcn.h>
#endif

namespace structured::kernels {
namespace {

struct Blas {
  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
};

#if defined(STRUCTURED_OPENBLAS_SONAME)
Blas load() {
  constexpr const char* name = STRUCTURED_OPENBLAS_SONAME;
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  STRUCTURED_CHECK(library != nullptr, "mm: expected to find OpenBLAS as `", name,
                   "`, got: ", static_cast<const char*>(dlerror()));
  const Blas found{reinterpret_cast<decltype(&cblas_sgemm)>(dlsym(library, "cblas_sgemm")),
                   reinterpret_cast<decltype(&cblas_dgemm)>(dlsym(library, "cblas_dgemm"))};
  STRUCTURED_CHECK(found.sgemm != nullptr && found.dgemm != nullptr,
                   "mm: expected `cblas_sgemm` and `cblas_dgemm` in `", name, "`, got a library without them");
  return found;
}
#else
Blas load() { return {cblas_sgemm, cblas_dgemm}; }
#endif

// Ready to be called by this thread.
const Blas& blas() {
  static const Blas loaded = load();  // never unloaded
  limit_openmp_threads();
  return loaded;
}

}  // namespace

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, const float* a, blasint lda,
          const float* b, blasint ldb, float* c, blasint ldc) {
  blas().sgemm(CblasRowMajor, ta, tb, m, n, k, 1.0f, a, lda, b, ldb, 0.0f, c, ldc);
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, const double* a, blasint lda,
          const double* b, blasint ldb, double* c, blasint ldc) {
  blas().dgemm(CblasRowMajor, ta, tb, m, n, k, 1.0, a, lda, b, ldb, 0.0, c, ldc);
}

}  // namespace structured::kernels
