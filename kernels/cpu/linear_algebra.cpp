// Solutions of linear systems, inverses and determinants on CPU, by the triangular factorizations of LAPACK.
#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/memory/scratch.h>
#include <structured/number/visit.h>
#include <structured/ops/expand.h>
#include <structured/ops/transpose.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "cpu/lapack.h"
#include "cpu/matrix_batch.h"
#include "meta/linear_algebra.h"

namespace structured::kernels {
namespace {

// Throws Error if an element of `info` is not 0.
void check_info(const char* name, const char* problem, const Tensor& info) {
  const int* const values = info.data_ptr<int32_t>();
  for (int64_t i = 0; i < info.numel(); ++i) {
    STRUCTURED_CHECK(values[i] == 0, name, ": matrix ", i, " of the batch ", problem, " ", values[i]);
  }
}

// Factorizes `A` into `LU`, which is stored by columns.
void factorize(const Tensor& A, const Tensor& LU, const Tensor& pivots, const Tensor& info) {
  if (A.numel() == 0) return set_all(info, 0);
  copy_into(LU, A);
  const int m = extent(LU, -2);
  const int n = extent(LU, -1);
  const int64_t least = std::min(m, n);
  visit_lapack(LU, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(LU); ++i) {
      info.data_ptr<int32_t>()[i] =
          lapack::getrf(m, n, item<T>(LU, i, int64_t{m} * n), m, item<int32_t>(pivots, i, least));
    }
  });
}

// Solves `op(A) X = X` in place for a batch of matrices X that are stored by columns, one LU factorization each.
void solve_factorized(char op, const Tensor& LU, const Tensor& pivots, const Tensor& X) {
  const int n = extent(LU, -1);
  const int columns = extent(X, -1);
  if (n == 0 || columns == 0) return;
  visit_lapack(X, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(X); ++i) {
      lapack::getrs(op, n, columns, item<T>(LU, i, int64_t{n} * n), n, item<int32_t>(pivots, i, n),
                    item<T>(X, i, int64_t{n} * columns), n);
    }
  });
}

// Dense copy of pivots as Int, broadcast to `batch`. LAPACK reads and writes the rows that they name without a check.
Tensor expanded_pivots(const Tensor& pivots, IntArrayRef batch) {
  DimVector sizes(batch);
  sizes.push_back(pivots.size(-1));
  const Tensor result = empty(sizes, pivots.options().dtype(kInt));
  copy_into(result, structured::expand(pivots, sizes));
  return result;
}

// Throws Error if a pivot of an LU factorization names no row of a matrix with `rows` rows.
void check_pivots(const char* name, const Tensor& pivots, int64_t rows) {
  const int32_t* const first = pivots.data_ptr<int32_t>();
  for (int64_t i = 0; i < pivots.numel(); ++i) {
    STRUCTURED_CHECK(first[i] >= 1 && first[i] <= rows, name, ": expected pivots from 1 to ", rows, ", got ", first[i]);
  }
}

// Throws Error if `pivots` are not those of an LDL factorization in its lower triangle: positive ones name a row, and a
// pair of equal negative ones names the row of a block of two.
void check_block_pivots(const Tensor& pivots) {
  const int64_t rows = pivots.size(-1);
  for (int64_t i = 0; i < count_of(batch_sizes(pivots, 1)); ++i) {
    const int32_t* const first = item<int32_t>(pivots, i, rows);
    for (int64_t k = 0; k < rows; ++k) {
      const int64_t row = std::abs(int64_t{first[k]});
      const bool is_block = first[k] < 0;
      STRUCTURED_CHECK(row >= 1 && row <= rows && (!is_block || (k + 1 < rows && first[k + 1] == first[k])),
                       "linalg_ldl_solve: expected pivots from 1 to ", rows, " or pairs of equal negative ones, got ",
                       first[k], " at ", k);
      k += is_block ? 1 : 0;
    }
  }
}

// Writes the solutions of `op(A) X = B`, or of `X op(A) = B` unless `left`, to `out`: stored by columns if `left`, by
// rows otherwise, so that its transpose is stored by columns.
void solve_lu(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint, const Tensor& out) {
  copy_into(out, structured::expand(B, out.sizes()));
  const IntArrayRef batch = batch_sizes(out);
  const Tensor factors = is_by_columns(LU, batch) ? LU : by_columns(LU, batch);
  const Tensor exchanges = expanded_pivots(pivots, batch);
  check_pivots("linalg_lu_solve", exchanges, LU.size(-1));
  if (left) return solve_factorized(adjoint ? 'C' : 'N', factors, exchanges, out);
  // X A = B is A^T X^T = B^T. The transpose of A^H is the conjugate of A, for which LAPACK has no operation.
  const Tensor transposed = structured::transpose(out, -2, -1);
  if (!adjoint || !out.is_complex()) return solve_factorized(adjoint ? 'N' : 'T', factors, exchanges, transposed);
  visit<kComplexTypes>("linalg_lu_solve", out.scalar_type(), [&]<class T>() {
    for (T* x = out.data_ptr<T>(); x != out.data_ptr<T>() + out.numel(); ++x) *x = T(x->real(), -x->imag());
    solve_factorized('N', factors, exchanges, transposed);
    for (T* x = out.data_ptr<T>(); x != out.data_ptr<T>() + out.numel(); ++x) *x = T(x->real(), -x->imag());
  });
}

// The transpose of a real contiguous matrix has the same determinant and needs no copy.
Tensor factorized_of(const Tensor& A) {
  return A.is_contiguous() && !A.is_complex() ? structured::transpose(A, -2, -1) : A;
}

// Calls `add(diagonal element)` for each diagonal element of matrix `i` and returns whether its permutation is odd.
template <class T, class Add>
bool visit_diagonal(const Tensor& LU, const Tensor& pivots, int64_t i, Add add) {
  const int64_t n = LU.size(-1);
  const T* const matrix = item<T>(LU, i, n * n);
  const int32_t* const exchanges = item<int32_t>(pivots, i, n);
  bool is_odd = false;
  for (int64_t k = 0; k < n; ++k) {
    add(matrix[k * (n + 1)]);
    is_odd ^= exchanges[k] != k + 1;
  }
  return is_odd;
}

// Solves with triangular matrices, in place of `X`, which is stored by columns.
void solve_with_triangles(const Tensor& A, const Tensor& X, bool upper, char op, bool left, bool unitriangular) {
  if (X.numel() == 0) return;
  const int m = extent(X, -2);
  const int n = extent(X, -1);
  const int order = extent(A, -1);
  visit_lapack(X, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(X); ++i) {
      lapack::trsm(left, upper, op, unitriangular, m, n, item<T>(A, i, int64_t{order} * order), leading(order),
                   item<T>(X, i, int64_t{m} * n), leading(m));
    }
  });
}

}  // namespace

[[structured::impl("linalg_cholesky_ex.L", "CPU")]]
void cholesky_ex_cpu(const Tensor& self, bool upper, bool check_errors, const Tensor& L, const Tensor& info) {
  if (self.numel() == 0) return set_all(info, 0);
  copy_into(L, self);
  const int n = extent(L, -1);
  visit_lapack(L, [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i) {
      T* const matrix = item<T>(L, i, int64_t{n} * n);
      info.data_ptr<int32_t>()[i] = lapack::potrf(upper, n, matrix, n);
      clear_triangle(upper, n, n, matrix);
    }
  });
  if (check_errors) {
    check_info("linalg_cholesky", "is not positive-definite: it has a leading minor that is not positive, of order",
               info);
  }
}

[[structured::impl("cholesky_solve.out", "CPU")]]
void cholesky_solve_cpu(const Tensor& self, const Tensor& input2, bool upper, const Tensor& out) {
  copy_into(out, structured::expand(self, out.sizes()));
  if (out.numel() == 0) return;
  const Tensor factors = by_columns(input2, batch_sizes(out));
  const int n = extent(out, -2);
  const int columns = extent(out, -1);
  visit_lapack(out, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(out); ++i) {
      lapack::potrs(upper, n, columns, item<T>(factors, i, int64_t{n} * n), n, item<T>(out, i, int64_t{n} * columns),
                    n);
    }
  });
}

[[structured::impl("cholesky_inverse.out", "CPU")]]
void cholesky_inverse_cpu(const Tensor& self, bool upper, const Tensor& out) {
  copy_into(out, self);
  if (out.numel() == 0) return;
  const int n = extent(out, -1);
  visit_lapack(out, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(out); ++i) {
      T* const matrix = item<T>(out, i, int64_t{n} * n);
      const int info = lapack::potri(upper, n, matrix, n);
      STRUCTURED_CHECK(info == 0, "cholesky_inverse: matrix ", i, " of the batch is singular: diagonal element ", info,
                       " is 0");
      for (int64_t row = 0; row < n; ++row) {  // copies the computed triangle to the other one
        for (int64_t column = 0; column < row; ++column) {
          T& low = matrix[column * n + row];
          T& high = matrix[row * n + column];
          T& to = upper ? low : high;
          to = upper ? high : low;
          if constexpr (is_complex_v<T>) to = T(to.real(), -to.imag());
        }
      }
    }
  });
}

[[structured::impl("linalg_lu_factor_ex.out", "CPU")]]
void lu_factor_ex_cpu(const Tensor& A, [[maybe_unused]] bool pivot, bool check_errors, const Tensor& LU,
                      const Tensor& pivots, const Tensor& info) {
  factorize(A, LU, pivots, info);
  if (check_errors) check_info("linalg_lu_factor", "is singular: it has a pivot of 0, number", info);
}

[[structured::impl("lu_unpack.out", "CPU")]]
void lu_unpack_cpu(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data, bool unpack_pivots,
                   const Tensor& P, const Tensor& L, const Tensor& U) {
  if (LU_data.numel() == 0) {
    if (unpack_pivots) set_identity(P);
    return;
  }
  const int64_t rows = LU_data.size(-2);
  const int64_t columns = LU_data.size(-1);
  const int64_t least = std::min(rows, columns);
  const int64_t count = matrix_count(LU_data);
  const IntArrayRef batch = batch_sizes(LU_data);
  const auto dense_like = [](const Tensor& out) { return empty(out.sizes(), out.options()); };
  visit_lapack(LU_data, [&]<class T>() {
    if (unpack_pivots) {
      const Tensor exchanges = expanded_pivots(LU_pivots, batch);
      check_pivots("lu_unpack", exchanges, rows);
      const Tensor permutations = dense_like(P);
      ScratchVector<int64_t> order(static_cast<size_t>(rows));
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t k = 0; k < rows; ++k) order[static_cast<size_t>(k)] = k;
        const int32_t* const pivots = item<int32_t>(exchanges, i, least);
        for (int64_t k = 0; k < least; ++k) {
          std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(pivots[k] - 1)]);
        }
        T* const matrix = item<T>(permutations, i, rows * rows);
        std::fill(matrix, matrix + rows * rows, T(0));
        for (int64_t k = 0; k < rows; ++k) matrix[order[static_cast<size_t>(k)] * rows + k] = T(1);
      }
      copy_into(P, permutations);
    }
    if (unpack_data) {
      const Tensor factors = empty(LU_data.sizes(), LU_data.options());
      copy_into(factors, LU_data);
      const Tensor lower = dense_like(L);
      const Tensor upper = dense_like(U);
      for (int64_t i = 0; i < count; ++i) {
        const T* const matrix = item<T>(factors, i, rows * columns);
        T* const low = item<T>(lower, i, rows * least);
        T* const high = item<T>(upper, i, least * columns);
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t column = 0; column < least; ++column) {
            low[row * least + column] = row > column ? matrix[row * columns + column] : T(row == column ? 1 : 0);
          }
        }
        for (int64_t row = 0; row < least; ++row) {
          for (int64_t column = 0; column < columns; ++column) {
            high[row * columns + column] = row <= column ? matrix[row * columns + column] : T(0);
          }
        }
      }
      copy_into(L, lower);
      copy_into(U, upper);
    }
  });
}

[[structured::impl("linalg_lu_solve.out", "CPU")]]
void lu_solve_cpu(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint, const Tensor& out) {
  if (out.numel() != 0) solve_lu(LU, pivots, B, left, adjoint, out);
}

[[structured::impl("_linalg_solve_ex.result", "CPU")]]
void solve_ex_cpu(const Tensor& A, const Tensor& B, bool left, bool check_errors, const Tensor& result,
                  const Tensor& LU, const Tensor& pivots, const Tensor& info) {
  factorize(A, LU, pivots, info);
  if (check_errors) check_info("linalg_solve", "is singular: it has a pivot of 0, number", info);
  if (result.numel() == 0) return;
  if (!is_batch_of_vectors(A, B)) return solve_lu(LU, pivots, B, left, false, result);
  // A vector is a matrix of one column, which is stored alike by rows and by columns.
  const Tensor dense = empty(result.sizes(), result.options());
  const auto as_column = [](const Tensor& vectors) {
    DimVector sizes(vectors.sizes());
    DimVector strides(vectors.strides());
    sizes.push_back(1);
    strides.push_back(vectors.stride(-1));
    return as_strided(vectors, sizes, strides, vectors.storage_offset());
  };
  solve_lu(LU, pivots, as_column(B), true, false, as_column(dense));
  copy_into(result, dense);
}

[[structured::impl("linalg_inv_ex.inverse", "CPU")]]
void inv_ex_cpu(const Tensor& A, bool check_errors, const Tensor& inverse, const Tensor& info) {
  if (A.numel() == 0) return set_all(info, 0);
  const Tensor LU = empty_strided(A.sizes(), column_strides(A.sizes()), A.options());
  const Tensor pivots = empty(batch_sizes(A, 1), A.options().dtype(kInt));
  factorize(A, LU, pivots, info);
  if (check_errors) check_info("linalg_inv", "is singular: it has a pivot of 0, number", info);
  const int64_t n = A.size(-1);
  visit_lapack(inverse, [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i) {
      T* const matrix = item<T>(inverse, i, n * n);
      std::fill(matrix, matrix + n * n, T(0));
      for (int64_t k = 0; k < n; ++k) matrix[k * (n + 1)] = T(1);
    }
  });
  solve_factorized('N', LU, pivots, inverse);
}

[[structured::impl("_linalg_det.result", "CPU")]]
void det_cpu(const Tensor& A, const Tensor& result, const Tensor& LU, const Tensor& pivots) {
  if (A.numel() == 0) return set_all(result, 1);
  const Tensor info = empty(batch_sizes(A), A.options().dtype(kInt));
  factorize(factorized_of(A), LU, pivots, info);
  visit_lapack(A, [&]<class T>() {
    for (int64_t i = 0; i < result.numel(); ++i) {
      T product(1);
      const bool is_odd = visit_diagonal<T>(LU, pivots, i, [&](T element) { product *= element; });
      result.data_ptr<T>()[i] = is_odd ? -product : product;
    }
  });
}

[[structured::impl("_linalg_slogdet.sign", "CPU")]]
void slogdet_cpu(const Tensor& A, const Tensor& sign, const Tensor& logabsdet, const Tensor& LU, const Tensor& pivots) {
  if (A.numel() == 0) {
    set_all(sign, 1);
    return set_all(logabsdet, 0);
  }
  const Tensor info = empty(batch_sizes(A), A.options().dtype(kInt));
  factorize(factorized_of(A), LU, pivots, info);
  visit_lapack(A, [&]<class T>() {
    using Real = lapack::Real<T>;
    for (int64_t i = 0; i < sign.numel(); ++i) {
      T turn(1);
      Real logarithm = 0;
      const bool is_odd = visit_diagonal<T>(LU, pivots, i, [&](T element) {
        Real size;
        if constexpr (is_complex_v<T>) {
          size = std::hypot(element.real(), element.imag());
        } else {
          size = std::fabs(element);
        }
        turn *= size == 0 ? T(0) : element / T(size);
        logarithm += std::log(size);
      });
      sign.data_ptr<T>()[i] = is_odd ? -turn : turn;
      logabsdet.data_ptr<Real>()[i] = logarithm;
    }
  });
}

[[structured::impl("linalg_solve_triangular.out", "CPU")]]
void solve_triangular_cpu(const Tensor& self, const Tensor& B, bool upper, bool left, bool unitriangular,
                          const Tensor& out) {
  copy_into(out, structured::expand(B, out.sizes()));
  if (out.numel() == 0) return;
  if (self.is_contiguous() && batch_sizes(self) == batch_sizes(out)) {  // the transposed matrix by columns
    solve_with_triangles(self, out, !upper, 'T', left, unitriangular);
  } else {
    solve_with_triangles(by_columns(self, batch_sizes(out)), out, upper, 'N', left, unitriangular);
  }
}

[[structured::impl("triangular_solve.X", "CPU")]]
void triangular_solve_cpu(const Tensor& self, const Tensor& A, bool upper, bool transpose, bool unitriangular,
                          const Tensor& X, const Tensor& M) {
  copy_into(X, structured::expand(self, X.sizes()));
  copy_into(M, structured::expand(A, M.sizes()));
  if (A.numel() != 0) solve_with_triangles(M, X, upper, transpose ? 'T' : 'N', true, unitriangular);
}

[[structured::impl("linalg_ldl_factor_ex.out", "CPU")]]
void ldl_factor_ex_cpu(const Tensor& self, bool hermitian, bool check_errors, const Tensor& LD, const Tensor& pivots,
                       const Tensor& info) {
  if (self.numel() == 0) return set_all(info, 0);
  copy_into(LD, self);
  const int n = extent(LD, -1);
  visit_lapack(LD, [&]<class T>() {
    for (int64_t i = 0; i < info.numel(); ++i) {
      T* const matrix = item<T>(LD, i, int64_t{n} * n);
      info.data_ptr<int32_t>()[i] = lapack::ldl_factor(hermitian, n, matrix, n, item<int32_t>(pivots, i, n));
      clear_triangle(false, n, n, matrix);
    }
  });
  if (check_errors) check_info("linalg_ldl_factor", "is singular: it has a diagonal block of 0, number", info);
}

[[structured::impl("linalg_ldl_solve.out", "CPU")]]
void ldl_solve_cpu(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian, const Tensor& out) {
  copy_into(out, structured::expand(B, out.sizes()));
  if (out.numel() == 0) return;
  const IntArrayRef batch = batch_sizes(out);
  const Tensor factors = by_columns(LD, batch);
  const Tensor exchanges = expanded_pivots(pivots, batch);
  check_block_pivots(exchanges);
  const int n = extent(out, -2);
  const int columns = extent(out, -1);
  visit_lapack(out, [&]<class T>() {
    for (int64_t i = 0; i < matrix_count(out); ++i) {
      lapack::ldl_solve(hermitian, n, columns, item<T>(factors, i, int64_t{n} * n), n, item<int32_t>(exchanges, i, n),
                        item<T>(out, i, int64_t{n} * columns), n);
    }
  });
}

}  // namespace structured::kernels
