// Meta functions of factorizations and solutions of linear systems.
#include "meta/linear_algebra.h"

#include <structured/base/error.h>
#include <structured/core/names.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/meta_base.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace structured::kernels {
namespace {

void set_columns(MetaBase& op, int64_t index, IntArrayRef sizes, TensorOptions options) {
  op.set_output_strided(index, sizes, column_strides(sizes), options);
}

// Batch sizes of `a` followed by `rows` and `columns`.
DimVector matrix_sizes(const Tensor& a, int64_t rows, int64_t columns) {
  DimVector sizes(batch_sizes(a));
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

DimVector vector_sizes(const Tensor& a, int64_t size) {
  DimVector sizes(batch_sizes(a));
  sizes.push_back(size);
  return sizes;
}

int64_t smaller_size(const Tensor& a) { return std::min(a.size(-2), a.size(-1)); }

TensorOptions integers(const Tensor& a) { return a.options().dtype(kInt); }

void set_empty(MetaBase& op, int64_t index, TensorOptions options) {
  op.set_output_raw_strided(index, {0}, {}, options);
}

// Checks that `b` fits the square matrices `a`: rows if `left`, columns otherwise.
void check_right_side(const char* name, const Tensor& a, const Tensor& b, bool left) {
  STRUCTURED_CHECK(b.scalar_type() == a.scalar_type(), name, ": expected `B` of dtype ", a.scalar_type(), ", got ",
                   b.scalar_type());
  STRUCTURED_CHECK(b.dim() >= 2 && b.size(left ? -2 : -1) == a.size(-1), name, ": expected `B` to have ", a.size(-1),
                   left ? " rows" : " columns", ", got sizes ", b.sizes());
}

}  // namespace

DimVector column_strides(IntArrayRef sizes) {
  DimVector strides(sizes.size(), 1);
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = step;
    step *= std::max<int64_t>(1, sizes[d]);
  }
  if (sizes.size() >= 2) {
    strides[sizes.size() - 1] = std::max<int64_t>(1, sizes[sizes.size() - 2]);
    strides[sizes.size() - 2] = 1;
  }
  return strides;
}

IntArrayRef batch_sizes(const Tensor& matrices, size_t count) {
  return {matrices.sizes().data(), matrices.sizes().size() - count};
}

void check_matrices(const char* name, const char* argument, const Tensor& matrices, ScalarTypeSet empty_types) {
  STRUCTURED_CHECK(matrices.dim() >= 2, name, ": expected `", argument, "` to have 2 dimensions or more, got ",
                   matrices.dim());
  const ScalarTypeSet types = matrices.numel() == 0 ? kLapackTypes | empty_types : kLapackTypes;
  STRUCTURED_CHECK(types.contains(matrices.scalar_type()), name, ": expected `", argument, "` of dtype ", types,
                   ", got ", matrices.scalar_type());
}

void check_square(const char* name, const char* argument, const Tensor& matrices, ScalarTypeSet empty_types) {
  check_matrices(name, argument, matrices, empty_types);
  STRUCTURED_CHECK(matrices.size(-1) == matrices.size(-2), name, ": expected `", argument,
                   "` to be square matrices, got sizes ", matrices.sizes());
}

bool is_batch_of_vectors(const Tensor& a, const Tensor& b) {
  return b.dim() == 1 || (a.dim() - 1 == b.dim() && b.sizes() == batch_sizes(a, 1));
}

DimVector broadcast_batch(const Tensor& matrices, const Tensor& other) {
  DimVector sizes = broadcast_shape(batch_sizes(matrices), batch_sizes(other));
  sizes.push_back(matrices.size(-2));
  sizes.push_back(matrices.size(-1));
  return sizes;
}

/// Cholesky factors of Hermitian positive-definite matrices `self` [..., n, n]: lower triangular `L` with `self = L @
/// L^H`, or upper triangular with `self = L^H @ L` if `upper`. Only that triangle of `self` is read.
///
/// `info` (Int) [...] is 0, or the order of the first leading minor that is not positive, which is an error with
/// `check_errors`. Float, Double, ComplexFloat and ComplexDouble only.
[[structured::meta("linalg_cholesky_ex", "linalg_cholesky_ex.L"), structured::returns("L", "info")]]
void cholesky_ex_meta(MetaBase& op, const Tensor& self, [[structured::kwonly, maybe_unused]] bool upper = false,
                      [[maybe_unused]] bool check_errors = false) {
  check_square("linalg_cholesky_ex", "self", self, kAllFloatingTypes);
  set_columns(op, 0, self.sizes(), self.options());
  op.set_output_contiguous(1, batch_sizes(self), integers(self));
}

/// Solutions of `A @ X = self` [..., n, k] for matrices `A` that are given by their Cholesky factors `input2` [..., n,
/// n], lower triangular or `upper`. Batch dimensions are broadcast.
[[structured::meta("cholesky_solve", "cholesky_solve.out")]]
void cholesky_solve_meta(MetaBase& op, const Tensor& self, const Tensor& input2, [[maybe_unused]] bool upper = false) {
  check_square("cholesky_solve", "input2", input2);
  check_right_side("cholesky_solve", input2, self, true);
  set_columns(op, 0, broadcast_batch(self, input2), self.options());
}

/// Inverses of matrices that are given by their Cholesky factors `self` [..., n, n], lower triangular or `upper`.
[[structured::meta("cholesky_inverse", "cholesky_inverse.out")]]
void cholesky_inverse_meta(MetaBase& op, const Tensor& self, [[maybe_unused]] bool upper = false) {
  check_square("cholesky_inverse", "self", self);
  set_columns(op, 0, self.sizes(), self.options());
}

/// LU factorization with partial pivoting of `A` [..., m, n]: `LU` has the unit lower triangular factor below the
/// diagonal and the upper triangular one above, `pivots` (Int) [..., min(m, n)] the row, counted from 1, with which
/// each row was exchanged.
///
/// `info` (Int) [...] is 0, or the number of the first pivot that is 0, which is an error with `check_errors`. `pivot`
/// must be true. Float, Double, ComplexFloat and ComplexDouble only.
[[structured::meta("linalg_lu_factor_ex", "linalg_lu_factor_ex.out"), structured::returns("LU", "pivots", "info")]]
void lu_factor_ex_meta(MetaBase& op, const Tensor& A, [[structured::kwonly]] bool pivot = true,
                       [[maybe_unused]] bool check_errors = false) {
  check_matrices("linalg_lu_factor_ex", "A", A, kAllTypes);
  STRUCTURED_CHECK(pivot, "linalg_lu_factor_ex: expected `pivot` to be true; a factorization without pivoting is not ",
                   "supported");
  set_columns(op, 0, A.sizes(), A.options());
  op.set_output_contiguous(1, vector_sizes(A, smaller_size(A)), integers(A));
  op.set_output_contiguous(2, batch_sizes(A), integers(A));
}

/// Permutation and triangular factors of an LU factorization `LU_data` [..., m, n] with `LU_pivots` (Int) [..., k], k =
/// min(m, n): `P` [..., m, m], `L` [..., m, k] and `U` [..., k, n]; their product is the factorized matrix. `L` and `U`
/// are empty unless `unpack_data`, `P` is empty unless `unpack_pivots`.
[[structured::meta("lu_unpack", "lu_unpack.out"), structured::returns("P", "L", "U")]]
void lu_unpack_meta(MetaBase& op, const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true,
                    bool unpack_pivots = true) {
  STRUCTURED_CHECK(LU_data.dim() >= 2, "lu_unpack: expected `LU_data` to have 2 dimensions or more, got ",
                   LU_data.dim());
  STRUCTURED_CHECK(!unpack_pivots || LU_pivots.scalar_type() == kInt,
                   "lu_unpack: expected `LU_pivots` of dtype Int, got ", LU_pivots.scalar_type());
  const int64_t rows = LU_data.size(-2);
  const int64_t least = smaller_size(LU_data);
  STRUCTURED_CHECK(!unpack_pivots || LU_pivots.sizes() == IntArrayRef(vector_sizes(LU_data, least)),
                   "lu_unpack: expected `LU_pivots` of sizes ", vector_sizes(LU_data, least), ", got ",
                   LU_pivots.sizes());
  const TensorOptions options = LU_data.options();
  if (unpack_pivots) {
    op.set_output_raw_strided(0, matrix_sizes(LU_data, rows, rows), {}, options);
  } else {
    set_empty(op, 0, options);
  }
  if (unpack_data) {
    op.set_output_raw_strided(1, matrix_sizes(LU_data, rows, least), {}, options);
    op.set_output_raw_strided(2, matrix_sizes(LU_data, least, LU_data.size(-1)), {}, options);
  } else {
    set_empty(op, 1, options);
    set_empty(op, 2, options);
  }
}

/// Solutions `X` of `A @ X = B`, or of `X @ A = B` unless `left`, for square matrices `A` that are given by their LU
/// factorization `LU` [..., n, n] and `pivots` (Int) [..., n]. With `adjoint`, `A^H` takes the place of `A`. Batch
/// dimensions are broadcast.
[[structured::meta("linalg_lu_solve", "linalg_lu_solve.out")]]
void lu_solve_meta(MetaBase& op, const Tensor& LU, const Tensor& pivots, const Tensor& B,
                   [[structured::kwonly]] bool left = true, [[maybe_unused]] bool adjoint = false) {
  check_square("linalg_lu_solve", "LU", LU);
  check_right_side("linalg_lu_solve", LU, B, left);
  STRUCTURED_CHECK(pivots.scalar_type() == kInt, "linalg_lu_solve: expected `pivots` of dtype Int, got ",
                   pivots.scalar_type());
  STRUCTURED_CHECK(pivots.sizes() == batch_sizes(LU, 1), "linalg_lu_solve: expected `pivots` of sizes ",
                   batch_sizes(LU, 1), ", got ", pivots.sizes());
  const DimVector sizes = broadcast_batch(B, LU);
  if (left) return set_columns(op, 0, sizes, B.options());
  op.set_output_contiguous(0, sizes, B.options());
}

/// Solutions `result` of `A @ X = B`, or of `X @ A = B` unless `left`, for square matrices `A` [..., n, n]. `B` is a
/// batch of matrices, or of vectors [..., n] if its sizes are those of `A` without the last one, or if it is a vector.
///
/// Also returns the LU factorization of `A` with its `pivots`, and `info` (Int), which is not 0 for singular matrices;
/// these are an error with `check_errors`. Float, Double, ComplexFloat and ComplexDouble only.
[[structured::meta("_linalg_solve_ex", "_linalg_solve_ex.result"),
  structured::returns("result", "LU", "pivots", "info")]]
void solve_ex_meta(MetaBase& op, const Tensor& A, const Tensor& B, [[structured::kwonly]] bool left = true,
                   [[maybe_unused]] bool check_errors = false) {
  constexpr const char* name = "linalg_solve";
  check_square(name, "A", A);
  const bool is_vector = is_batch_of_vectors(A, B);
  STRUCTURED_CHECK(!is_vector || left, name, ": expected `left` to be true for a `B` of vectors");
  STRUCTURED_CHECK(B.scalar_type() == A.scalar_type(), name, ": expected `B` of dtype ", A.scalar_type(), ", got ",
                   B.scalar_type());
  DimVector sizes;
  if (is_vector) {
    STRUCTURED_CHECK(B.size(-1) == A.size(-1), name, ": expected `B` to have ", A.size(-1), " elements, got sizes ",
                     B.sizes());
    sizes = broadcast_shape(batch_sizes(A), batch_sizes(B, 1));
    sizes.push_back(B.size(-1));
    set_columns(op, 0, sizes, B.options());
  } else {
    check_right_side(name, A, B, left);
    sizes = broadcast_batch(B, A);
    if (left) {
      set_columns(op, 0, sizes, B.options());
    } else {
      op.set_output_contiguous(0, sizes, B.options());
    }
  }
  set_columns(op, 1, A.sizes(), A.options());
  op.set_output_contiguous(2, batch_sizes(A, 1), integers(A));
  op.set_output_contiguous(3, batch_sizes(A), integers(A));
}

/// Inverses of square matrices `A` [..., n, n], and `info` (Int) [...], which is not 0 for singular matrices; these are
/// an error with `check_errors`. Float, Double, ComplexFloat and ComplexDouble only.
[[structured::meta("linalg_inv_ex", "linalg_inv_ex.inverse"), structured::returns("inverse", "info")]]
void inv_ex_meta(MetaBase& op, const Tensor& A, [[structured::kwonly, maybe_unused]] bool check_errors = false) {
  check_square("linalg_inv_ex", "A", A);
  set_columns(op, 0, A.sizes(), A.options());
  op.set_output_contiguous(1, batch_sizes(A), integers(A));
}

/// Determinants of square matrices `A` [..., n, n]: [...]. Also returns an LU factorization of `A`, or of its transpose
/// if `A` is real and contiguous, with its pivots (Int).
[[structured::meta("_linalg_det", "_linalg_det.result"), structured::returns("result", "LU", "pivots")]]
void det_meta(MetaBase& op, const Tensor& A) {
  check_square("linalg_det", "A", A, kAllFloatingTypes);
  op.set_output_contiguous(0, batch_sizes(A), A.options());
  set_columns(op, 1, A.sizes(), A.options());
  op.set_output_contiguous(2, batch_sizes(A, 1), integers(A));
}

/// Signs and logarithms of the absolute values of determinants of square matrices `A` [..., n, n]: [...] each. The sign
/// of a complex determinant is its quotient by its absolute value. Also returns an LU factorization of `A`, or of its
/// transpose if `A` is real and contiguous, with its pivots (Int).
[[structured::meta("_linalg_slogdet", "_linalg_slogdet.sign"),
  structured::returns("sign", "logabsdet", "LU", "pivots")]]
void slogdet_meta(MetaBase& op, const Tensor& A) {
  check_square("linalg_slogdet", "A", A);
  op.set_output_contiguous(0, batch_sizes(A), A.options());
  op.set_output_contiguous(1, batch_sizes(A), A.options().dtype(to_real(A.scalar_type())));
  set_columns(op, 2, A.sizes(), A.options());
  op.set_output_contiguous(3, batch_sizes(A, 1), integers(A));
}

/// Solutions `X` of `self @ X = B`, or of `X @ self = B` unless `left`, for triangular matrices `self` [..., n, n].
/// Only the `upper` or lower triangle is read. With `unitriangular`, the diagonal counts as 1. Batch dimensions are
/// broadcast.
[[structured::meta("linalg_solve_triangular", "linalg_solve_triangular.out")]]
void solve_triangular_meta(MetaBase& op, const Tensor& self, const Tensor& B,
                           [[structured::kwonly, maybe_unused]] bool upper, bool left = true,
                           [[maybe_unused]] bool unitriangular = false) {
  check_square("linalg_solve_triangular", "self", self);
  check_right_side("linalg_solve_triangular", self, B, left);
  set_columns(op, 0, broadcast_batch(B, self), B.options());
}

/// Solutions of `A @ X = self`, or of `A^T @ X = self` with `transpose`, for triangular matrices `A` [..., n, n],
/// and a copy of `A`. Only the `upper` or lower triangle is read. With `unitriangular`, the diagonal counts as 1.
/// Batch dimensions are broadcast.
[[structured::meta("triangular_solve", "triangular_solve.X"), structured::returns("solution", "cloned_coefficient")]]
void triangular_solve_meta(MetaBase& op, const Tensor& self, const Tensor& A, [[maybe_unused]] bool upper = true,
                           [[maybe_unused]] bool transpose = false, [[maybe_unused]] bool unitriangular = false) {
  check_square("triangular_solve", "A", A);
  check_right_side("triangular_solve", A, self, true);
  set_columns(op, 0, broadcast_batch(self, A), self.options());
  set_columns(op, 1, broadcast_batch(A, self), A.options());
}

/// QR factorization of `self` [..., m, n] by Householder reflections, as LAPACK stores it: `a` has R above the diagonal
/// and the reflections below, `tau` [..., min(m, n)] their factors.
[[structured::meta("geqrf", "geqrf.a"), structured::returns("a", "tau")]]
void geqrf_meta(MetaBase& op, const Tensor& self) {
  check_matrices("geqrf", "self", self);
  set_columns(op, 0, self.sizes(), self.options());
  op.set_output_contiguous(1, vector_sizes(self, smaller_size(self)), self.options());
}

/// First n columns of the product of the Householder reflections that `geqrf` gives as `input` [..., m, n], m >= n, and
/// `tau` [..., k], k <= n.
[[structured::meta("linalg_householder_product", "linalg_householder_product.out")]]
void householder_product_meta(MetaBase& op, const Tensor& input, const Tensor& tau) {
  constexpr const char* name = "linalg_householder_product";
  check_matrices(name, "input", input);
  STRUCTURED_CHECK(input.size(-2) >= input.size(-1), name, ": expected `input` to have no more columns than rows, got ",
                   "sizes ", input.sizes());
  STRUCTURED_CHECK(
      tau.dim() + 1 == input.dim() && tau.size(-1) <= input.size(-1) && batch_sizes(tau, 1) == batch_sizes(input), name,
      ": expected `tau` with the batch of `input` and at most ", input.size(-1), " elements, got sizes ", tau.sizes());
  STRUCTURED_CHECK(tau.scalar_type() == input.scalar_type(), name, ": expected `tau` of dtype ", input.scalar_type(),
                   ", got ", tau.scalar_type());
  set_columns(op, 0, input.sizes(), input.options());
}

/// Product `Q @ input3`, or `input3 @ Q` unless `left`, with the product Q of the Householder reflections that `geqrf`
/// gives as `self` [..., m, k] and `input2` [..., k]; with `transpose`, Q^H takes the place of Q.
[[structured::meta("ormqr", "ormqr.out")]]
void ormqr_meta(MetaBase& op, const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true,
                [[maybe_unused]] bool transpose = false) {
  check_matrices("ormqr", "self", self);
  check_matrices("ormqr", "input3", input3);
  STRUCTURED_CHECK(input2.scalar_type() == self.scalar_type() && input3.scalar_type() == self.scalar_type(),
                   "ormqr: expected tensors of dtype ", self.scalar_type(), ", got ", input2.scalar_type(), " and ",
                   input3.scalar_type());
  const int64_t order = input3.size(left ? -2 : -1);
  STRUCTURED_CHECK(self.size(-2) == order, "ormqr: expected `self` to have ", order, " rows, as `input3` has ",
                   left ? "rows" : "columns", ", got sizes ", self.sizes());
  STRUCTURED_CHECK(input2.dim() + 1 == self.dim() && input2.size(-1) <= order && input2.size(-1) <= self.size(-1) &&
                       batch_sizes(input2, 1) == batch_sizes(self) && batch_sizes(input3) == batch_sizes(self),
                   "ormqr: expected one batch for all tensors and no more reflections than columns, got sizes ",
                   self.sizes(), ", ", input2.sizes(), " and ", input3.sizes());
  set_columns(op, 0, input3.sizes(), input3.options());
}

/// QR factorization of `A` [..., m, n] with k = min(m, n): `mode` "reduced" gives `Q` [..., m, k] and `R` [..., k, n],
/// "complete" `Q` [..., m, m] and `R` [..., m, n], and "r" an empty `Q` and `R` [..., k, n].
[[structured::meta("linalg_qr", "linalg_qr.out"), structured::returns("Q", "R")]]
void qr_meta(MetaBase& op, const Tensor& A, std::string_view mode = "reduced") {
  check_matrices("linalg_qr", "A", A);
  STRUCTURED_CHECK(mode == "reduced" || mode == "complete" || mode == "r",
                   "linalg_qr: expected `mode` reduced, complete or r, got ", mode);
  const int64_t rows = A.size(-2);
  const int64_t kept = mode == "complete" ? rows : smaller_size(A);
  if (mode == "r") {
    set_empty(op, 0, A.options());
  } else {
    set_columns(op, 0, matrix_sizes(A, rows, kept), A.options());
  }
  set_columns(op, 1, matrix_sizes(A, kept, A.size(-1)), A.options());
}

/// Singular value decomposition of `A` [..., m, n] with k = min(m, n): `A = U @ diag(S) @ Vh`, with `S` in descending
/// order. `U` is [..., m, k] and `Vh` [..., k, n], or [..., m, m] and [..., n, n] with `full_matrices`; both are empty
/// unless `compute_uv`. `driver` must be None.
[[structured::meta("_linalg_svd", "_linalg_svd.U"), structured::returns("U", "S", "Vh")]]
void svd_meta(MetaBase& op, const Tensor& A, bool full_matrices = false, bool compute_uv = true,
              [[structured::kwonly]] std::optional<std::string_view> driver = std::nullopt) {
  check_matrices("linalg_svd", "A", A, kAllFloatingTypes);
  STRUCTURED_CHECK(!driver, "linalg_svd: expected no `driver` on CPU, got ", driver.value_or(""));
  const int64_t rows = A.size(-2);
  const int64_t columns = A.size(-1);
  const int64_t least = smaller_size(A);
  if (compute_uv) {
    set_columns(op, 0, matrix_sizes(A, rows, full_matrices ? rows : least), A.options());
    set_columns(op, 2, matrix_sizes(A, full_matrices ? columns : least, columns), A.options());
  } else {
    set_empty(op, 0, A.options());
    set_empty(op, 2, A.options());
  }
  op.set_output_contiguous(1, vector_sizes(A, least), A.options().dtype(to_real(A.scalar_type())));
}

/// Eigenvalues [..., n] in ascending order and eigenvectors [..., n, n], as columns, of Hermitian matrices `A`. Only
/// the lower (`UPLO` "L") or upper ("U") triangle is read. Eigenvectors are empty unless `compute_v`.
[[structured::meta("_linalg_eigh", "_linalg_eigh.eigenvalues"), structured::returns("eigenvalues", "eigenvectors")]]
void eigh_meta(MetaBase& op, const Tensor& A, std::string_view UPLO = "L", bool compute_v = true) {
  check_square("linalg_eigh", "A", A);
  STRUCTURED_CHECK(UPLO == "L" || UPLO == "U" || UPLO == "l" || UPLO == "u",
                   "linalg_eigh: expected `UPLO` to be L or U, got ", UPLO);
  op.set_output_contiguous(0, batch_sizes(A, 1), A.options().dtype(to_real(A.scalar_type())));
  if (compute_v) {
    set_columns(op, 1, A.sizes(), A.options());
  } else {
    set_empty(op, 1, A.options());
  }
}

/// Eigenvalues [..., n] and right eigenvectors [..., n, n], as columns, of square matrices `self`; both are complex.
/// The order of eigenvalues is LAPACK's.
[[structured::meta("linalg_eig", "linalg_eig.out"), structured::returns("eigenvalues", "eigenvectors")]]
void eig_meta(MetaBase& op, const Tensor& self) {
  check_square("linalg_eig", "self", self);
  const TensorOptions options = self.options().dtype(to_complex(self.scalar_type()));
  op.set_output_contiguous(0, batch_sizes(self, 1), options);
  set_columns(op, 1, self.sizes(), options);
}

/// Cross products of the vectors of 3 elements along `dim` of `self` and `other`, which are broadcast and have one
/// number of dimensions and one dtype; Bool is not supported. For complex numbers the product is not conjugated.
[[structured::meta("linalg_cross", "linalg_cross.out")]]
void cross_meta(MetaBase& op, const Tensor& self, const Tensor& other, [[structured::kwonly]] int64_t dim = -1) {
  constexpr auto kName = "linalg_cross";
  STRUCTURED_CHECK(self.dim() == other.dim(), kName, ": expected tensors of one number of dimensions, got ", self.dim(),
                   " and ", other.dim());
  STRUCTURED_CHECK(self.scalar_type() == other.scalar_type(), kName, ": expected tensors of one dtype, got ",
                   self.scalar_type(), " and ", other.scalar_type());
  check_dtype(kName, self.scalar_type(), kRealTypes | kComplexTypes);
  const int64_t along = wrap_dim(dim, self.dim());
  for (const Tensor& tensor : {self, other}) {
    STRUCTURED_CHECK(tensor.size(along) == 3, kName, ": expected vectors of 3 elements along dimension ", along,
                     ", got sizes ", tensor.sizes());
  }
  op.set_output_raw_strided(0, broadcast_shape(self.sizes(), other.sizes()), {}, self.options());
}

/// Factorization `L @ D @ L^T`, or `L @ D @ L^H` if `hermitian`, of the lower triangles of square matrices `self` [...,
/// n, n] by the Bunch-Kaufman method, as LAPACK stores it, with its `pivots` (Int) [..., n]. `info` (Int) [...] is 0,
/// or the number of the first diagonal block that is singular, which is an error with `check_errors`.
[[structured::meta("linalg_ldl_factor_ex", "linalg_ldl_factor_ex.out"), structured::returns("LD", "pivots", "info")]]
void ldl_factor_ex_meta(MetaBase& op, const Tensor& self, [[structured::kwonly, maybe_unused]] bool hermitian = false,
                        [[maybe_unused]] bool check_errors = false) {
  check_square("linalg_ldl_factor_ex", "self", self, kAllFloatingTypes);
  set_columns(op, 0, self.sizes(), self.options());
  op.set_output_contiguous(1, batch_sizes(self, 1), integers(self));
  op.set_output_contiguous(2, batch_sizes(self), integers(self));
}

/// Solutions of `A @ X = B` for matrices `A` that are given by their factorization `LD` [..., n, n] and `pivots` (Int)
/// [..., n] from `linalg_ldl_factor_ex` with the same `hermitian`. Batch dimensions are broadcast.
[[structured::meta("linalg_ldl_solve", "linalg_ldl_solve.out")]]
void ldl_solve_meta(MetaBase& op, const Tensor& LD, const Tensor& pivots, const Tensor& B,
                    [[structured::kwonly, maybe_unused]] bool hermitian = false) {
  check_square("linalg_ldl_solve", "LD", LD);
  check_right_side("linalg_ldl_solve", LD, B, true);
  STRUCTURED_CHECK(is_integral(pivots.scalar_type(), false) && pivots.sizes() == batch_sizes(LD, 1),
                   "linalg_ldl_solve: expected integers as `pivots` of sizes ", batch_sizes(LD, 1), ", got ",
                   pivots.scalar_type(), " of sizes ", pivots.sizes());
  set_columns(op, 0, broadcast_batch(B, LD), B.options());
}

}  // namespace structured::kernels
