// Linear algebra in terms of factorizations.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/_linalg_det.h>
#include <structured/ops/_linalg_eigh.h>
#include <structured/ops/_linalg_slogdet.h>
#include <structured/ops/_linalg_solve_ex.h>
#include <structured/ops/_linalg_svd.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/amax.h>
#include <structured/ops/clamp_min.h>
#include <structured/ops/conj_physical.h>
#include <structured/ops/gt.h>
#include <structured/ops/linalg_cholesky_ex.h>
#include <structured/ops/linalg_cross.h>
#include <structured/ops/linalg_eig.h>
#include <structured/ops/linalg_inv_ex.h>
#include <structured/ops/linalg_ldl_factor_ex.h>
#include <structured/ops/linalg_lu_factor_ex.h>
#include <structured/ops/linalg_matrix_sqrth.h>
#include <structured/ops/linalg_pinv.h>
#include <structured/ops/linalg_polar.h>
#include <structured/ops/log.h>
#include <structured/ops/lu_unpack.h>
#include <structured/ops/matmul.h>
#include <structured/ops/maximum.h>
#include <structured/ops/mul.h>
#include <structured/ops/reciprocal.h>
#include <structured/ops/sqrt.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/where.h>
#include <structured/ops/zeros.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "composite/store_result.h"

namespace structured::kernels {
namespace {

Tensor adjoint(const Tensor& matrices) {
  const Tensor transposed = structured::transpose(matrices, -2, -1);
  return matrices.is_complex() ? structured::conj_physical(transposed) : transposed;
}

// Distance from 1 to the next number of a dtype.
double epsilon_of(ScalarType dtype) {
  return to_real(dtype) == kDouble ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
}

// Tolerances below which singular values count as 0, with a last dimension of size 1: the larger one of `atol` and
// `rtol` times the largest value. `rtol` is by default the rounding error of a matrix of this size, or 0 if `atol` is
// given.
Tensor tolerances(const Tensor& matrices, const Tensor& magnitudes, const std::optional<Tensor>& atol,
                  const std::optional<Tensor>& rtol) {
  const double error =
      epsilon_of(matrices.scalar_type()) * static_cast<double>(std::max(matrices.size(-2), matrices.size(-1)));
  const Tensor largest = structured::amax(magnitudes, -1, true);
  if (!atol && !rtol) return structured::mul(largest, error);
  const Tensor absolute = atol ? structured::unsqueeze(*atol, -1) : Tensor();
  if (!rtol) {
    // A tolerance of 0 selects the default of `rtol`.
    const Tensor relative = structured::where(structured::gt(absolute, 0), Scalar(0.0), Scalar(error));
    return structured::maximum(absolute, structured::mul(largest, relative));
  }
  const Tensor relative = structured::mul(largest, structured::unsqueeze(*rtol, -1));
  return atol ? structured::maximum(absolute, relative) : relative;
}

std::optional<Tensor> number_tensor(std::optional<double> number) {
  if (!number) return std::nullopt;
  return scalar_tensor(*number, kDouble);
}

}  // namespace

/// Cholesky factors of Hermitian positive-definite matrices `self` [..., n, n]: lower triangular `L` with `self = L @
/// L^H`, or upper triangular if `upper`. Other matrices are an error.
[[structured::composite("linalg_cholesky"), structured::variants("linalg_cholesky.out")]]
Tensor linalg_cholesky(const Tensor& self, [[structured::kwonly]] bool upper = false) {
  return std::get<0>(structured::linalg_cholesky_ex(self, upper, true));
}

/// LU factorization with partial pivoting of `A` [..., m, n] and its pivots (Int), as `linalg_lu_factor_ex` gives them.
/// Singular matrices are an error.
[[structured::composite("linalg_lu_factor"), structured::variants("linalg_lu_factor.out"),
  structured::returns("LU", "pivots")]]
std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, [[structured::kwonly]] bool pivot = true) {
  const auto [factors, pivots, info] = structured::linalg_lu_factor_ex(A, pivot, true);
  return {factors, pivots};
}

/// LU decomposition `A = P @ L @ U` of `A` [..., m, n] with k = min(m, n): a permutation `P` [..., m, m], `L` [..., m,
/// k] with ones on its diagonal, and `U` [..., k, n].
[[structured::kernel("linalg_lu", "CompositeExplicitAutograd"), structured::variants("linalg_lu.out"),
  structured::returns("P", "L", "U")]]
std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, [[structured::kwonly]] bool pivot = true) {
  const auto [factors, pivots, info] = structured::linalg_lu_factor_ex(A, pivot, false);
  return structured::lu_unpack(factors, pivots);
}

/// Solutions `result` of `A @ X = B`, or of `X @ A = B` unless `left`, and `info` (Int), which is not 0 for singular
/// matrices; these are an error with `check_errors`.
[[structured::composite("linalg_solve_ex"), structured::variants("linalg_solve_ex.out"),
  structured::returns("result", "info")]]
std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, [[structured::kwonly]] bool left = true,
                                           bool check_errors = false) {
  const auto [result, factors, pivots, info] = structured::_linalg_solve_ex(A, B, left, check_errors);
  return {result, info};
}

/// Solutions of `A @ X = B`, or of `X @ A = B` unless `left`, for square matrices `A` [..., n, n]. `B` is a batch of
/// matrices, or of vectors if its sizes are those of `A` without the last one. Singular matrices are an error.
[[structured::composite("linalg_solve"), structured::variants("linalg_solve.out")]]
Tensor linalg_solve(const Tensor& A, const Tensor& B, [[structured::kwonly]] bool left = true) {
  return std::get<0>(structured::_linalg_solve_ex(A, B, left, true));
}

/// Inverses of square matrices `A` [..., n, n]. Singular matrices are an error.
[[structured::composite("linalg_inv"), structured::variants("linalg_inv.out")]]
Tensor linalg_inv(const Tensor& A) {
  return std::get<0>(structured::linalg_inv_ex(A, true));
}

/// Inverses of square matrices `self` [..., n, n]. Singular matrices are an error; alias of linalg_inv.
[[structured::composite("inverse"), structured::variants("inverse.out")]]
Tensor inverse(const Tensor& self) {
  return std::get<0>(structured::linalg_inv_ex(self, true));
}

/// Determinants of square matrices `A` [..., n, n]: [...].
[[structured::composite("linalg_det"), structured::variants("linalg_det.out")]]
Tensor linalg_det(const Tensor& A) {
  return std::get<0>(structured::_linalg_det(A));
}

/// Determinants of square matrices `self` [..., n, n]: [...]; alias of linalg_det.
[[structured::composite("det")]]
Tensor det(const Tensor& self) {
  return std::get<0>(structured::_linalg_det(self));
}

/// Signs and logarithms of the absolute values of determinants of square matrices `A` [..., n, n]: [...] each. The sign
/// of a complex determinant is its quotient by its absolute value.
[[structured::composite("linalg_slogdet"), structured::variants("linalg_slogdet.out"),
  structured::returns("sign", "logabsdet")]]
std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  const auto [sign, logarithm, factors, pivots] = structured::_linalg_slogdet(A);
  return {sign, logarithm};
}

/// Signs and logarithms of the absolute values of determinants of square matrices `self` [..., n, n]: [...] each; alias
/// of linalg_slogdet.
[[structured::composite("slogdet"), structured::variants("slogdet.out"), structured::returns("sign", "logabsdet")]]
std::tuple<Tensor, Tensor> slogdet(const Tensor& self) {
  return kernels::linalg_slogdet(self);
}

/// Logarithms of determinants of square matrices `self` [..., n, n]: [...]; NaN for negative real determinants.
[[structured::composite("logdet")]]
Tensor logdet(const Tensor& self) {
  const auto [sign, logarithm] = kernels::linalg_slogdet(self);
  return structured::add(structured::log(sign), logarithm);
}

/// Singular value decomposition of `A` [..., m, n]: `A = U @ diag(S) @ Vh`, with `S` in descending order. `U` is [...,
/// m, m] and `Vh` [..., n, n], or [..., m, k] and [..., k, n] with k = min(m, n) unless `full_matrices`. `driver` must
/// be None.
[[structured::composite("linalg_svd"), structured::variants("linalg_svd.U"), structured::returns("U", "S", "Vh")]]
std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices = true,
                                              [[structured::kwonly]] std::optional<std::string_view> driver = {}) {
  return structured::_linalg_svd(A, full_matrices, true, driver);
}

/// Singular values of `A` [..., m, n] in descending order: [..., min(m, n)]. `driver` must be None.
[[structured::composite("linalg_svdvals"), structured::variants("linalg_svdvals.out")]]
Tensor linalg_svdvals(const Tensor& A, [[structured::kwonly]] std::optional<std::string_view> driver = {}) {
  return std::get<1>(structured::_linalg_svd(A, false, A.requires_grad(), driver));  // its derivative needs vectors
}

/// Eigenvalues [..., n] in ascending order and eigenvectors [..., n, n], as columns, of Hermitian matrices `self`. Only
/// the lower (`UPLO` "L") or upper ("U") triangle is read.
[[structured::composite("linalg_eigh"), structured::returns("eigenvalues", "eigenvectors")]]
std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view UPLO = "L") {
  return structured::_linalg_eigh(self, UPLO, true);
}

/// Eigenvalues [..., n] in ascending order of Hermitian matrices `self` [..., n, n]. Only the lower (`UPLO` "L") or
/// upper ("U") triangle is read.
[[structured::composite("linalg_eigvalsh"), structured::variants("linalg_eigvalsh.out")]]
Tensor linalg_eigvalsh(const Tensor& self, std::string_view UPLO = "L") {
  return std::get<0>(structured::_linalg_eigh(self, UPLO, self.requires_grad()));  // its derivative needs vectors
}

/// Eigenvalues [..., n] of square matrices `self` [..., n, n], which are complex. The order is LAPACK's.
[[structured::composite("linalg_eigvals"), structured::variants("linalg_eigvals.out")]]
Tensor linalg_eigvals(const Tensor& self) {
  return std::get<0>(structured::linalg_eig(self));
}

/// Factorization `L @ D @ L^T`, or `L @ D @ L^H` if `hermitian`, of the lower triangles of square matrices, and its
/// pivots (Int), as `linalg_ldl_factor_ex` gives them. Singular matrices are an error.
[[structured::composite("linalg_ldl_factor"), structured::variants("linalg_ldl_factor.out"),
  structured::returns("LD", "pivots")]]
std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, [[structured::kwonly]] bool hermitian = false) {
  const auto [factors, pivots, info] = structured::linalg_ldl_factor_ex(self, hermitian, true);
  return {factors, pivots};
}

/// Pseudo-inverses [..., n, m] of matrices `self` [..., m, n]. Singular values, or absolute eigenvalues if `hermitian`,
/// count as 0 if they do not exceed `atol` and `rtol` times the largest one.
///
/// `atol` defaults to 0, and `rtol` to the rounding error of 1 times max(m, n), or to 0 if `atol` is positive.
[[structured::kernel("linalg_pinv.atol_rtol_tensor", "CompositeExplicitAutograd"),
  structured::variants("linalg_pinv.atol_rtol_tensor_out")]]
Tensor pinv(const Tensor& self, [[structured::kwonly]] const std::optional<Tensor>& atol = std::nullopt,
            const std::optional<Tensor>& rtol = std::nullopt, bool hermitian = false) {
  STRUCTURED_CHECK(self.dim() >= 2, "linalg_pinv: expected `self` to have 2 dimensions or more, got ", self.dim());
  if (self.numel() == 0) {
    DimVector sizes(self.sizes());
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    return empty(sizes, self.options());
  }
  const auto inverted = [&](const Tensor& values, const Tensor& magnitudes) {
    const Tensor counts = structured::gt(magnitudes, tolerances(self, magnitudes, atol, rtol));
    return structured::unsqueeze(structured::where(counts, structured::reciprocal(values), Scalar(0.0)), -2);
  };
  if (hermitian) {
    const auto [values, vectors] = structured::_linalg_eigh(self, "L", true);
    return structured::matmul(structured::mul(vectors, inverted(values, structured::abs(values))), adjoint(vectors));
  }
  const auto [left, values, right] = structured::_linalg_svd(self, false, true);
  return structured::matmul(structured::mul(adjoint(right), inverted(values, values)), adjoint(left));
}

/// Principal square roots of Hermitian positive-semidefinite matrices `self` [..., n, n]: `X @ X = self`, where `X` is
/// Hermitian and positive-semidefinite. Only the lower triangle is read; negative eigenvalues count as 0.
[[structured::composite("linalg_matrix_sqrth")]]
Tensor linalg_matrix_sqrth(const Tensor& self) {
  const auto [values, vectors] = structured::_linalg_eigh(self, "L", true);
  const Tensor roots = structured::unsqueeze(structured::sqrt(structured::clamp_min(values, 0)), -2);
  return structured::matmul(structured::mul(vectors, roots), adjoint(vectors));
}

/// Writes the principal square roots of Hermitian positive-semidefinite matrices `self` [..., n, n] to `out`, which is
/// resized and must have the dtype of the result.
[[structured::kernel("linalg_matrix_sqrth.out", "CompositeExplicitAutograd")]]
Tensor& linalg_matrix_sqrth_out(const Tensor& self, Tensor& out) {
  return store_result("linalg_matrix_sqrth", structured::linalg_matrix_sqrth(self), out);
}

/// Polar decompositions of matrices `A` [..., m, n] with m >= n: `A = U @ H`, where `U` [..., m, n] has orthonormal
/// columns and `H` [..., n, n] is Hermitian and positive-semidefinite.
[[structured::composite("linalg_polar"), structured::returns("U", "H")]]
std::tuple<Tensor, Tensor> linalg_polar(const Tensor& A) {
  STRUCTURED_CHECK(A.dim() >= 2 && A.size(-2) >= A.size(-1),
                   "linalg_polar: expected matrices `A` with at least as many rows as columns, got sizes ", A.sizes());
  const auto [left, values, right] = structured::_linalg_svd(A, false, true);
  const Tensor columns = adjoint(right);
  return {structured::matmul(left, right),
          structured::matmul(structured::mul(columns, structured::unsqueeze(values, -2)), right)};
}

/// Writes the polar decompositions of matrices `A` [..., m, n] with m >= n to `U` [..., m, n] and `H` [..., n, n],
/// which are resized and must have the dtype of `A`.
[[structured::kernel("linalg_polar.out", "CompositeExplicitAutograd"), structured::returns("U", "H")]]
std::tuple<Tensor&, Tensor&> linalg_polar_out(const Tensor& A, Tensor& U, Tensor& H) {
  const auto [unitary, hermitian] = structured::linalg_polar(A);
  check_stored_dtype("linalg_polar", hermitian, H);
  store_result("linalg_polar", unitary, U);
  store_result("linalg_polar", hermitian, H);
  return {U, H};
}

/// Pseudo-inverses [..., n, m] of matrices `self` [..., m, n] with numbers as tolerances: singular values, or absolute
/// eigenvalues if `hermitian`, count as 0 if they do not exceed `atol` and `rtol` times the largest one. `atol`
/// defaults to 0, and `rtol` to the rounding error of 1 times max(m, n), or to 0 if `atol` is positive.
[[structured::composite("linalg_pinv.atol_rtol_float"), structured::variants("linalg_pinv.atol_rtol_float_out")]]
Tensor pinv_of_numbers(const Tensor& self, [[structured::kwonly]] std::optional<double> atol = std::nullopt,
                       std::optional<double> rtol = std::nullopt, bool hermitian = false) {
  return structured::linalg_pinv(self, number_tensor(atol), number_tensor(rtol), hermitian);
}

/// Pseudo-inverses [..., n, m] of matrices `self` [..., m, n], or of self-adjoint matrices if `hermitian`: singular
/// values count as 0 if they do not exceed `rcond` times the largest one.
[[structured::composite("linalg_pinv"), structured::variants("linalg_pinv.out")]]
Tensor pinv_of_number(const Tensor& self, double rcond, bool hermitian = false) {
  return structured::linalg_pinv(self, number_tensor(0.0), number_tensor(rcond), hermitian);
}

/// Pseudo-inverses [..., n, m] of matrices `self` [..., m, n], or of self-adjoint matrices if `hermitian`: singular
/// values count as 0 if they do not exceed `rcond` [...] times the largest one.
[[structured::composite("linalg_pinv.rcond_tensor"), structured::variants("linalg_pinv.out_rcond_tensor")]]
Tensor pinv_of_tensor(const Tensor& self, const Tensor& rcond, bool hermitian = false) {
  return structured::linalg_pinv(self, number_tensor(0.0), rcond, hermitian);
}

/// Pseudo-inverses [..., n, m] of matrices `self` [..., m, n]: singular values count as 0 if they do not exceed `rcond`
/// times the largest one.
[[structured::composite("pinverse")]]
Tensor pinverse(const Tensor& self, double rcond = 1e-15) {
  return structured::linalg_pinv(self, std::optional<Tensor>(scalar_tensor(0.0, kDouble)), number_tensor(rcond), false);
}

/// Numbers (Long) [...] of singular values of matrices `input` [..., m, n], or of absolute eigenvalues if `hermitian`,
/// that exceed `atol` and `rtol` times the largest one. `atol` defaults to 0, and `rtol` to the rounding error of 1
/// times max(m, n), or to 0 if `atol` is positive.
[[structured::composite("linalg_matrix_rank.atol_rtol_tensor"),
  structured::variants("linalg_matrix_rank.atol_rtol_tensor_out")]]
Tensor matrix_rank(const Tensor& input, [[structured::kwonly]] const std::optional<Tensor>& atol = std::nullopt,
                   const std::optional<Tensor>& rtol = std::nullopt, bool hermitian = false) {
  STRUCTURED_CHECK(input.dim() >= 2, "linalg_matrix_rank: expected `input` to have 2 dimensions or more, got ",
                   input.dim());
  if (input.numel() == 0) {
    return structured::zeros(IntArrayRef(input.sizes().data(), input.sizes().size() - 2), input.options().dtype(kLong));
  }
  const Tensor magnitudes = hermitian ? structured::abs(std::get<0>(structured::_linalg_eigh(input, "L", false)))
                                      : std::get<1>(structured::_linalg_svd(input, false, false));
  return structured::sum(structured::gt(magnitudes, tolerances(input, magnitudes, atol, rtol)), -1);
}

/// Numbers (Long) [...] of singular values of matrices `self` [..., m, n], or of absolute eigenvalues if `hermitian`,
/// that exceed the numbers `atol` and `rtol` times the largest one. `atol` defaults to 0, and `rtol` to the rounding
/// error of 1 times max(m, n), or to 0 if `atol` is positive.
[[structured::composite("linalg_matrix_rank.atol_rtol_float"),
  structured::variants("linalg_matrix_rank.atol_rtol_float_out")]]
Tensor matrix_rank_of_numbers(const Tensor& self, [[structured::kwonly]] std::optional<double> atol = std::nullopt,
                              std::optional<double> rtol = std::nullopt, bool hermitian = false) {
  return kernels::matrix_rank(self, number_tensor(atol), number_tensor(rtol), hermitian);
}

/// Numbers (Long) [...] of singular values of matrices `self` [..., m, n], or of absolute eigenvalues if `hermitian`,
/// that exceed `tol`.
[[structured::composite("linalg_matrix_rank"), structured::variants("linalg_matrix_rank.out")]]
Tensor matrix_rank_above_number(const Tensor& self, double tol, bool hermitian = false) {
  return kernels::matrix_rank(self, number_tensor(tol), number_tensor(0.0), hermitian);
}

/// Numbers (Long) [...] of singular values of matrices `input` [..., m, n], or of absolute eigenvalues if `hermitian`,
/// that exceed `tol` [...].
[[structured::composite("linalg_matrix_rank.tol_tensor"), structured::variants("linalg_matrix_rank.out_tol_tensor")]]
Tensor matrix_rank_above_tensor(const Tensor& input, const Tensor& tol, bool hermitian = false) {
  return kernels::matrix_rank(input, tol, number_tensor(0.0), hermitian);
}

/// Cross products of the vectors of 3 elements along `dim` of `self` and `other`, by default along the first dimension
/// of `self` of size 3.
[[structured::composite("cross"), structured::variants("cross.out")]]
Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim = std::nullopt) {
  if (dim) return structured::linalg_cross(self, other, *dim);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 3) return structured::linalg_cross(self, other, d);
  }
  STRUCTURED_CHECK(false, "cross: expected `self` to have a dimension of size 3, got sizes ", self.sizes());
  return Tensor();
}

/// Throws an error that names `api_name` if an element of `info` (Int), which a factorization of one matrix or of a
/// batch of matrices has returned, is not 0. `is_matrix` says which.
[[structured::kernel("_linalg_check_errors", "CompositeExplicitAutograd")]]
void linalg_check_errors(const Tensor& info, std::string_view api_name, [[structured::kwonly]] bool is_matrix) {
  if (info.is_meta() || info.numel() == 0) return;
  const auto worst = structured::amax(structured::abs(info)).item<int64_t>();
  STRUCTURED_CHECK(worst == 0, api_name, ": the factorization of ", is_matrix ? "the matrix" : "a matrix of the batch",
                   " failed with info ", worst, "; it is singular or not positive-definite");
}

}  // namespace structured::kernels
