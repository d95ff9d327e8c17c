#include "blas.h"

#include <structured/base/error.h>
#include <structured/device/simd_level.h>
#include <structured/iterator/parallel.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <type_traits>

#if defined(STRUCTURED_OPENBLAS_SONAME)
#include <dlfcn.h>

#include <cstdlib>
#endif

namespace structured::kernels {
namespace {

struct Blas {
  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
  decltype(&cblas_cgemm) cgemm;
  decltype(&cblas_zgemm) zgemm;
  decltype(&cblas_sgemv) sgemv;
  decltype(&cblas_dgemv) dgemv;
  decltype(&cblas_cgemv) cgemv;
  decltype(&cblas_zgemv) zgemv;
};

#if defined(STRUCTURED_OPENBLAS_SONAME)
constexpr const char* kName = STRUCTURED_OPENBLAS_SONAME;

void* open() {
  void* const library = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  STRUCTURED_CHECK(library != nullptr, "cannot load OpenBLAS from `", kName, "`: ", static_cast<const char*>(dlerror()),
                   "; install libopenblas or add its directory to LD_LIBRARY_PATH");
  return library;
}

// Returns whether OpenBLAS recognized the processor. Otherwise, as for processors newer than the library, it uses SSE3
// kernels, which are five times slower.
bool knows_processor(void* library) {
  const auto core = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_corename"));
  constexpr std::string_view old[] = {"Prescott", "Core2", "Katmai", "Coppermine", "Northwood", "Generic"};
  return simd_level() == SimdLevel::baseline || core == nullptr ||
         std::find(std::begin(old), std::end(old), std::string_view(core())) == std::end(old);
}

// Returns OpenBLAS, loaded again with OPENBLAS_CORETYPE set if it did not recognize the processor: the variable is read
// only while the library is loaded. A value set by the user is kept.
void* open_for_processor() {
  void* const library = open();
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) != nullptr || knows_processor(library)) return library;
  dlclose(library);
  setenv(variable, simd_level() == SimdLevel::avx512 ? "SkylakeX" : "Haswell", 0);
  void* const again = open();
  unsetenv(variable);
  return again;
}

template <class F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  STRUCTURED_CHECK(function != nullptr, "OpenBLAS from `", kName, "` does not define `", name, "`");
}

// Returns the loaded library, which is never unloaded.
void* openblas() {
  static void* const library = open_for_processor();
  return library;
}

Blas load() {
  void* const library = openblas();
  Blas found;
  find(library, "cblas_sgemm", found.sgemm);
  find(library, "cblas_dgemm", found.dgemm);
  find(library, "cblas_cgemm", found.cgemm);
  find(library, "cblas_zgemm", found.zgemm);
  find(library, "cblas_sgemv", found.sgemv);
  find(library, "cblas_dgemv", found.dgemv);
  find(library, "cblas_cgemv", found.cgemv);
  find(library, "cblas_zgemv", found.zgemv);
  return found;
}
#else
Blas load() {
  return {cblas_sgemm, cblas_dgemm, cblas_cgemm, cblas_zgemm, cblas_sgemv, cblas_dgemv, cblas_cgemv, cblas_zgemv};
}
#endif

// Returns the loaded library, ready to be called by this thread.
const Blas& blas() {
  static const Blas loaded = load();
  prepare_openblas();
  return loaded;
}

CBLAS_TRANSPOSE order(bool is_transposed) { return is_transposed ? CblasTrans : CblasNoTrans; }

}  // namespace

void prepare_openblas() { limit_openmp_threads(); }

#if defined(STRUCTURED_OPENBLAS_SONAME)
void* openblas_function(const char* name) {
  void* function = nullptr;
  find(openblas(), name, function);
  prepare_openblas();
  return function;
}
#endif

template <class T>
void gemm(blasint m, blasint n, blasint k, T alpha, BlasMatrix<T> a, BlasMatrix<T> b, T beta, T* c, blasint ldc) {
  const Blas& library = blas();
  const auto call = [&](auto function, auto factor, auto old_factor) {
    function(CblasRowMajor, order(a.is_transposed), order(b.is_transposed), m, n, k, factor, a.data, a.leading, b.data,
             b.leading, old_factor, c, ldc);
  };
  if constexpr (std::is_same_v<T, float>) call(library.sgemm, alpha, beta);
  if constexpr (std::is_same_v<T, double>) call(library.dgemm, alpha, beta);
  if constexpr (std::is_same_v<T, Complex<float>>) call(library.cgemm, &alpha, &beta);
  if constexpr (std::is_same_v<T, Complex<double>>) call(library.zgemm, &alpha, &beta);
}

template <class T>
void gemv(blasint m, blasint n, T alpha, BlasMatrix<T> a, const T* x, blasint incx, T beta, T* y, blasint incy) {
  if (beta == T(0)) {  // BLAS would compute 0 * NaN
    for (blasint i = 0; i < m; ++i) y[static_cast<int64_t>(i) * incy] = T(0);
  }
  const Blas& library = blas();
  const auto call = [&](auto function, auto factor, auto old_factor) {
    function(CblasRowMajor, order(a.is_transposed), a.is_transposed ? n : m, a.is_transposed ? m : n, factor, a.data,
             a.leading, x, incx, old_factor, y, incy);
  };
  if constexpr (std::is_same_v<T, float>) call(library.sgemv, alpha, beta);
  if constexpr (std::is_same_v<T, double>) call(library.dgemv, alpha, beta);
  if constexpr (std::is_same_v<T, Complex<float>>) call(library.cgemv, &alpha, &beta);
  if constexpr (std::is_same_v<T, Complex<double>>) call(library.zgemv, &alpha, &beta);
}

#define STRUCTURED_INSTANTIATE_BLAS(T)                                                            \
  template void gemm(blasint, blasint, blasint, T, BlasMatrix<T>, BlasMatrix<T>, T, T*, blasint); \
  template void gemv(blasint, blasint, T, BlasMatrix<T>, const T*, blasint, T, T*, blasint);
STRUCTURED_INSTANTIATE_BLAS(float)
STRUCTURED_INSTANTIATE_BLAS(double)
STRUCTURED_INSTANTIATE_BLAS(Complex<float>)
STRUCTURED_INSTANTIATE_BLAS(Complex<double>)
#undef STRUCTURED_INSTANTIATE_BLAS

}  // namespace structured::kernels
