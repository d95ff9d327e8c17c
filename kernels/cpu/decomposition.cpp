// QR, singular value and eigenvalue decompositions on CPU, by LAPACK.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/memory/scratch.h>
#include <structured/number/complex.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cpu/lapack.h"
#include "cpu/matrix_batch.h"

namespace structured::kernels {

[[structured::impl("geqrf.a", "CPU")]]
void geqrf_cpu(const Tensor& self, const Tensor& a, const Tensor& tau) {
  copy_into(a, self);
  const int m = extent(a, -2);
  const int n = extent(a, -1);
  if (m == 0 || n == 0) return;
  visit_lapack(a, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(a); ++i) {
      lapack::geqrf(m, n, item<T>(a, i, int64_t{m} * n), m, item<T>(tau, i, std::min(m, n)));
    }
  });
}

[[structured::impl("linalg_householder_product.out", "CPU")]]
void householder_product_cpu(const Tensor& input, const Tensor& tau, const Tensor& out) {
  copy_into(out, input);
  if (out.numel() == 0) return;
  const int m = extent(out, -2);
  const int n = extent(out, -1);
  const int k = extent(tau, -1);
  const Tensor factors = empty(tau.sizes(), tau.options());
  copy_into(factors, tau);
  visit_lapack(out, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(out); ++i) {
      lapack::orgqr(m, n, k, item<T>(out, i, int64_t{m} * n), m, item<T>(factors, i, k));
    }
  });
}

[[structured::impl("ormqr.out", "CPU")]]
void ormqr_cpu(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left, bool transpose,
               const Tensor& out) {
  copy_into(out, input3);
  if (out.numel() == 0) return;
  const Tensor reflections = by_columns(self);
  const Tensor factors = empty(input2.sizes(), input2.options());
  copy_into(factors, input2);
  const int m = extent(out, -2);
  const int n = extent(out, -1);
  const int k = extent(input2, -1);
  const int order = extent(self, -2);
  const int64_t size = int64_t{order} * self.size(-1);
  visit_lapack(out, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(out); ++i) {
      lapack::ormqr(left, transpose, m, n, k, item<T>(reflections, i, size), leading(order), item<T>(factors, i, k),
                    item<T>(out, i, int64_t{m} * n), m);
    }
  });
}

[[structured::impl("linalg_qr.out", "CPU")]]
void qr_cpu(const Tensor& A, std::string_view mode, const Tensor& Q, const Tensor& R) {
  if (A.numel() == 0) {
    if (mode != "r") set_identity(Q);
    return;
  }
  const int m = extent(A, -2);
  const int n = extent(A, -1);
  const int least = std::min(m, n);
  const Tensor factorized = by_columns(A);
  const int kept = extent(R, -2);
  visit_lapack(A, [&]<class T>() {
    ScratchVector<T> tau(static_cast<size_t>(least));
    for (int64_t i = 0; i < matrix_count(A); ++i) {
      T* const matrix = item<T>(factorized, i, int64_t{m} * n);
      lapack::geqrf(m, n, matrix, m, tau.data());
      T* const r = item<T>(R, i, int64_t{kept} * n);
      for (int64_t column = 0; column < n; ++column) std::copy_n(matrix + column * m, kept, r + column * kept);
      clear_triangle(true, kept, n, r);
      if (mode == "r") continue;
      const int columns = extent(Q, -1);
      T* const q = item<T>(Q, i, int64_t{m} * columns);
      std::fill(q, q + int64_t{m} * columns, T(0));
      std::copy_n(matrix, int64_t{m} * least, q);
      lapack::orgqr(m, columns, least, q, m, tau.data());
    }
  });
}

[[structured::impl("_linalg_svd.U", "CPU")]]
void svd_cpu(const Tensor& A, bool full_matrices, bool compute_uv,
             [[maybe_unused]] std::optional<std::string_view> driver, const Tensor& U, const Tensor& S,
             const Tensor& Vh) {
  const int m = extent(A, -2);
  const int n = extent(A, -1);
  const int least = std::min(m, n);
  if (A.numel() == 0) {
    if (compute_uv) set_identity(U);
    if (compute_uv) set_identity(Vh);
    return;
  }
  const Tensor matrices = by_columns(A);
  visit_lapack(A, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(A); ++i) {
      T* const u = compute_uv ? item<T>(U, i, m * U.size(-1)) : nullptr;
      T* const vh = compute_uv ? item<T>(Vh, i, n * Vh.size(-2)) : nullptr;
      const char job = !compute_uv ? 'N' : full_matrices ? 'A' : 'S';
      const int info = lapack::gesdd(job, m, n, item<T>(matrices, i, int64_t{m} * n), m,
                                     item<lapack::Real<T>>(S, i, least), u, m, vh, full_matrices ? n : least);
      STRUCTURED_CHECK(info == 0, "linalg_svd: the singular values of matrix ", i, " of the batch did not converge; ",
                       "it may have elements that are not finite");
    }
  });
}

[[structured::impl("_linalg_eigh.eigenvalues", "CPU")]]
void eigh_cpu(const Tensor& A, std::string_view UPLO, bool compute_v, const Tensor& eigenvalues,
              const Tensor& eigenvectors) {
  const int n = extent(A, -1);
  const bool upper = UPLO == "U" || UPLO == "u";
  if (compute_v) copy_into(eigenvectors, A);
  const Tensor matrices = compute_v ? eigenvectors : by_columns(A);
  if (n == 0) return;
  visit_lapack(A, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(A); ++i) {
      const int info = lapack::heevd(compute_v, upper, n, item<T>(matrices, i, int64_t{n} * n), n,
                                     item<lapack::Real<T>>(eigenvalues, i, n));
      STRUCTURED_CHECK(info == 0, "linalg_eigh: the eigenvalues of matrix ", i, " of the batch did not converge; it ",
                       "may have elements that are not finite");
    }
  });
}

[[structured::impl("linalg_eig.out", "CPU")]]
void eig_cpu(const Tensor& self, const Tensor& eigenvalues, const Tensor& eigenvectors) {
  const int n = extent(self, -1);
  if (n == 0) return;
  const Tensor matrices = by_columns(self);
  visit_lapack(self, [&]<class T>() {
    using Number = Complex<lapack::Real<T>>;
    const T* const elements = matrices.data_ptr<T>();
    const bool is_finite = std::all_of(elements, elements + matrices.numel(), [](T x) { return x - x == T(0); });
    STRUCTURED_CHECK(is_finite, "linalg_eig: expected `self` to have finite elements only");
    for (int64_t i = 0; i < matrix_count(self); ++i) {
      const int info = lapack::geev(n, item<T>(matrices, i, int64_t{n} * n), n, item<Number>(eigenvalues, i, n),
                                    item<Number>(eigenvectors, i, int64_t{n} * n), n);
      STRUCTURED_CHECK(info == 0, "linalg_eig: the eigenvalues of matrix ", i, " of the batch did not converge");
    }
  });
}

}  // namespace structured::kernels
