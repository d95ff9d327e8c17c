// Derivatives of determinants, inverses and solutions of linear systems.
#include <structured/autograd/grad_mode.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/any.h>
#include <structured/ops/cat.h>
#include <structured/ops/complex.h>
#include <structured/ops/diag_embed.h>
#include <structured/ops/expand.h>
#include <structured/ops/item.h>
#include <structured/ops/linalg_cross.h>
#include <structured/ops/linalg_det.h>
#include <structured/ops/linalg_lu_solve.h>
#include <structured/ops/linalg_matrix_exp.h>
#include <structured/ops/linalg_pinv.h>
#include <structured/ops/linalg_solve.h>
#include <structured/ops/linalg_solve_triangular.h>
#include <structured/ops/linalg_svd.h>
#include <structured/ops/lt.h>
#include <structured/ops/lu_unpack.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mul.h>
#include <structured/ops/narrow.h>
#include <structured/ops/neg.h>
#include <structured/ops/ones.h>
#include <structured/ops/prod.h>
#include <structured/ops/reshape.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/zeros_like.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

double epsilon_of(const Tensor& a) {
  const bool is_single = a.scalar_type() == kFloat || a.scalar_type() == kComplexFloat;
  return is_single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

// Diagonal matrices of the shape of `A` with one number for each.
Tensor multiples_of_identity(const Tensor& numbers, const Tensor& A) {
  const IntArrayRef rows(A.sizes().data(), A.sizes().size() - 1);
  return structured::diag_embed(structured::expand(structured::unsqueeze(numbers, -1), rows));
}

// The solutions X of A^H X = B. `LU` is the factorization of `A`, or of its transpose if `A` is real and contiguous.
Tensor solve_adjoint(const Tensor& A, const Tensor& LU, const Tensor& pivots, const Tensor& B) {
  if (is_grad_enabled()) return structured::linalg_solve(adjoint(A), B);
  const bool is_transposed = A.is_contiguous() && !A.is_complex();
  return structured::linalg_lu_solve(LU, pivots, B, true, !is_transposed);
}

// Gradient of determinants of singular matrices: `grad` times the matrices of cofactors.
Tensor cofactors(const Tensor& grad, const Tensor& A) {
  const auto [U, S, Vh] = structured::linalg_svd(A, false);
  const Tensor turn = structured::mul(structured::linalg_det(U), structured::linalg_det(Vh));
  const auto product = [](const std::vector<Tensor>& values) {
    return std::vector<Tensor>{structured::prod(values[0], -1)};
  };
  const Tensor ones = structured::ones(IntArrayRef(S.sizes().data(), S.sizes().size() - 1), S.options());
  const Tensor others = gradients_through(product, {S}, {ones})[0];
  const Tensor weights = structured::mul(structured::unsqueeze(structured::mul(grad, conjugate(turn)), -1), others);
  return structured::matmul(structured::mul(U, structured::unsqueeze(weights, -2)), Vh);
}

}  // namespace

[[structured::backward("_linalg_det")]]
Tensor det(const Tensor& grad, const Tensor& A, const Tensor& result, const Tensor& LU, const Tensor& pivots) {
  if (!grad.defined()) return Tensor();
  if (A.numel() == 0) return structured::zeros_like(A);
  const Tensor is_singular = structured::lt(structured::abs(result.detach()), 100 * epsilon_of(A));
  if (structured::item(structured::any(is_singular)).to<bool>()) return cofactors(grad, A);
  return solve_adjoint(A, LU, pivots, multiples_of_identity(structured::mul(grad, conjugate(result)), A));
}

[[structured::backward("_linalg_slogdet")]]
Tensor slogdet(const Tensor& grad_sign, const Tensor& grad_logabsdet, const Tensor& A, const Tensor& sign,
               const Tensor& LU, const Tensor& pivots) {
  if (A.numel() == 0) return structured::zeros_like(A);
  if (!A.is_complex()) {
    if (!grad_logabsdet.defined()) return Tensor();
    return solve_adjoint(A, LU, pivots, multiples_of_identity(grad_logabsdet, A));
  }
  if (!grad_sign.defined() && !grad_logabsdet.defined()) return Tensor();
  const TensorOptions real = A.options().dtype(to_real(A.scalar_type()));
  const Tensor of_size = grad_logabsdet.defined() ? grad_logabsdet : structured::zeros(sign.sizes(), real);
  const Tensor of_turn = grad_sign.defined()
                             ? structured::neg(imaginary_part(structured::mul(conjugate(grad_sign), sign)))
                             : structured::zeros(sign.sizes(), real);
  return solve_adjoint(A, LU, pivots, multiples_of_identity(structured::complex(of_size, of_turn), A));
}

[[structured::backward("linalg_inv_ex")]]
Tensor inv(const Tensor& grad, const Tensor& inverse) {
  if (!grad.defined()) return Tensor();
  const Tensor turned = adjoint(inverse);
  return structured::neg(structured::matmul(turned, structured::matmul(grad, turned)));
}

namespace {

// Gradient of `A` from that of the right side, where `A @ X = B`, or `X @ A = B` unless `left`.
Tensor of_matrix(const Tensor& of_right_side, const Tensor& X, bool left) {
  return structured::neg(left ? structured::matmul(of_right_side, adjoint(X))
                              : structured::matmul(adjoint(X), of_right_side));
}

}  // namespace

[[structured::backward("_linalg_solve_ex", "A", "B")]]
TwoTensors solve(const Tensor& grad, const Tensor& A, IntArrayRef B_sizes, const Tensor& result, const Tensor& LU,
                 const Tensor& pivots, bool left) {
  if (!grad.defined()) return {};
  const bool is_vector = result.dim() < A.dim();
  const Tensor g = is_vector ? structured::unsqueeze(grad, -1) : grad;
  const Tensor X = is_vector ? structured::unsqueeze(result, -1) : result;
  const Tensor of_B = is_grad_enabled() ? structured::linalg_solve(adjoint(A), g, left)
                                        : structured::linalg_lu_solve(LU, pivots, g, left, true);
  const Tensor of_A = summed_to(of_matrix(of_B, X, left), A.sizes());
  return {of_A, summed_to(is_vector ? structured::reshape(of_B, grad.sizes()) : of_B, B_sizes)};
}

[[structured::backward("linalg_solve_triangular")]]
TwoTensors solve_triangular(const Tensor& grad, const Tensor& self, IntArrayRef B_sizes, const Tensor& out, bool upper,
                            bool left, bool unitriangular) {
  const Tensor of_B = structured::linalg_solve_triangular(adjoint(self), grad, !upper, left, unitriangular);
  const Tensor of_all = of_matrix(of_B, out, left);
  const int64_t first = unitriangular ? 1 : 0;
  const Tensor of_self = upper ? structured::triu(of_all, first) : structured::tril(of_all, -first);
  return {summed_to(of_self, self.sizes()), summed_to(of_B, B_sizes)};
}

[[structured::backward("triangular_solve")]]
TwoTensors triangular_solve(const Tensor& grad_solution, const Tensor& grad_cloned_coefficient, const Tensor& self,
                            const Tensor& A, const Tensor& solution, bool upper, bool transpose, bool unitriangular) {
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor matrices = transpose ? structured::transpose(inputs[1], -2, -1) : inputs[1];
    DimVector sizes(solution.sizes());
    sizes[sizes.size() - 1] = sizes[sizes.size() - 2];
    return std::vector<Tensor>{
        structured::linalg_solve_triangular(matrices, inputs[0], upper != transpose, true, unitriangular),
        structured::expand(inputs[1], sizes)};
  };
  const std::vector<Tensor> result = gradients_through(function, {self, A}, {grad_solution, grad_cloned_coefficient});
  return {result[0], result[1]};
}

[[structured::backward("linalg_lu_solve", "LU", "B")]]
TwoTensors lu_solve(const Tensor& grad, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                    bool adjoint) {
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const auto [P, L, U] = structured::lu_unpack(inputs[0], pivots);
    const Tensor right = left ? inputs[1] : derivatives::adjoint(inputs[1]);
    Tensor X;
    if (adjoint == left) {
      X = structured::linalg_solve_triangular(derivatives::adjoint(U), right, false);
      X = structured::linalg_solve_triangular(derivatives::adjoint(L), X, true, true, true);
      X = structured::matmul(P, X);
    } else {
      X = structured::matmul(structured::transpose(P, -2, -1), right);
      X = structured::linalg_solve_triangular(L, X, false, true, true);
      X = structured::linalg_solve_triangular(U, X, true);
    }
    return std::vector<Tensor>{left ? X : derivatives::adjoint(X)};
  };
  const std::vector<Tensor> result = gradients_through(function, {LU, B}, {grad});
  return {result[0], result[1]};
}

namespace {

// Gradient of a triangular factor L with L L^H = A, or U with U^H U = A, from `common`, the gradient of A.
Tensor of_factor(const Tensor& common, const Tensor& factor, bool upper) {
  const Tensor symmetric = structured::add(common, adjoint(common));
  return structured::neg(upper ? structured::matmul(factor, symmetric) : structured::matmul(symmetric, factor));
}

}  // namespace

[[structured::backward("cholesky_solve")]]
TwoTensors cholesky_solve(const Tensor& grad, IntArrayRef self_sizes, const Tensor& input2, const Tensor& out,
                          bool upper) {
  const auto solved = [&](const Tensor& right) {
    const Tensor once = structured::linalg_solve_triangular(upper ? adjoint(input2) : input2, right, false);
    return structured::linalg_solve_triangular(upper ? input2 : adjoint(input2), once, true);
  };
  const Tensor of_self = solved(grad);
  const Tensor of_input2 = of_factor(structured::matmul(of_self, adjoint(out)), input2, upper);
  return {summed_to(of_self, self_sizes), summed_to(of_input2, input2.sizes())};
}

[[structured::backward("cholesky_inverse")]]
Tensor cholesky_inverse(const Tensor& grad, const Tensor& self, const Tensor& out, bool upper) {
  return of_factor(structured::matmul(out, structured::matmul(grad, out)), self, upper);
}

/// Golub and Pereyra, The Differentiation of Pseudo-Inverses and Nonlinear Least Squares Problems Whose Variables
/// Separate, 1973.
[[structured::backward("linalg_pinv.atol_rtol_tensor", "self")]]
Tensor pinv(const Tensor& grad, const Tensor& self, const Tensor& out) {
  const Tensor turned = adjoint(out);
  const Tensor g = adjoint(grad);
  if (self.size(-2) <= self.size(-1)) {
    const Tensor K = structured::matmul(g, out);
    const Tensor K_turned = structured::matmul(K, turned);
    Tensor sum = structured::sub(K_turned, adjoint(structured::matmul(out, K)));
    sum = structured::sub(sum, structured::matmul(structured::matmul(self, out), K_turned));
    return structured::add(
        sum, structured::matmul(structured::matmul(turned, out), structured::sub(g, structured::matmul(K, self))));
  }
  const Tensor K = structured::matmul(out, g);
  const Tensor turned_K = structured::matmul(turned, K);
  Tensor sum = structured::sub(turned_K, adjoint(structured::matmul(K, out)));
  sum = structured::add(
      sum, structured::matmul(structured::matmul(structured::sub(g, structured::matmul(self, K)), out), turned));
  return structured::sub(sum, structured::matmul(structured::matmul(turned_K, out), self));
}

[[structured::backward("linalg_lstsq")]]
TwoTensors lstsq(const Tensor& grad, const Tensor& grad_residuals, const Tensor& self, const Tensor& b) {
  const bool is_vector = b.dim() < self.dim();
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor right = is_vector ? structured::unsqueeze(inputs[1], -1) : inputs[1];
    const Tensor solution = structured::matmul(structured::linalg_pinv(inputs[0], std::optional<Tensor>()), right);
    const Tensor rest = structured::abs(structured::sub(structured::matmul(inputs[0], solution), right));
    const Tensor residuals = structured::sum(structured::mul(rest, rest), -2);
    if (!is_vector) return std::vector<Tensor>{solution, residuals};
    return std::vector<Tensor>{structured::squeeze(solution, -1), structured::squeeze(residuals, -1)};
  };
  // Residuals are empty for some drivers and matrices.
  const bool has_residuals = grad_residuals.defined() && grad_residuals.numel() != 0;
  const std::vector<Tensor> gradients{grad, has_residuals ? grad_residuals : Tensor()};
  const std::vector<Tensor> result = gradients_through(function, {self, b}, gradients);
  return {result[0], result[1]};
}

[[structured::backward("linalg_cross", "self")]]
Tensor cross_self(const Tensor& grad, const Tensor& other, int64_t dim) {
  return structured::linalg_cross(conjugate(structured::expand(other, grad.sizes())), grad, dim);
}

[[structured::backward("linalg_cross", "other")]]
Tensor cross_other(const Tensor& grad, const Tensor& self, int64_t dim) {
  return structured::linalg_cross(grad, conjugate(structured::expand(self, grad.sizes())), dim);
}

/// The upper right block of exp [[A^H, grad], [0, A^H]]. Najfeld and Havel, Derivatives of the Matrix Exponential and
/// Their Computation, 1995.
[[structured::backward("linalg_matrix_exp")]]
Tensor matrix_exp(const Tensor& grad, const Tensor& self) {
  const Tensor turned = adjoint(self);
  const Tensor above = structured::cat({turned, grad}, -1);
  const Tensor below = structured::cat({structured::zeros_like(grad), turned}, -1);
  const Tensor result = structured::linalg_matrix_exp(structured::cat({above, below}, -2));
  const int64_t n = self.size(-1);
  return structured::narrow(structured::narrow(result, -2, 0, n), -1, n, n);
}

}  // namespace structured::derivatives
