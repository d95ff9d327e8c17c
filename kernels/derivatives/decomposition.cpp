// Derivatives of matrix factorizations.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/ops/abs.h>
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/constant_pad_nd.h>
#include <structured/ops/diag_embed.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/div.h>
#include <structured/ops/eye.h>
#include <structured/ops/item.h>
#include <structured/ops/linalg_solve.h>
#include <structured/ops/linalg_solve_triangular.h>
#include <structured/ops/lu_unpack.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/matmul.h>
#include <structured/ops/max.h>
#include <structured/ops/mul.h>
#include <structured/ops/narrow.h>
#include <structured/ops/neg.h>
#include <structured/ops/select.h>
#include <structured/ops/sub.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/zeros_like.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

Tensor solved_upper(const Tensor& factor, const Tensor& right, bool unitriangular = false) {
  return structured::linalg_solve_triangular(factor, right, true, true, unitriangular);
}

// `matrices`, or zeros in the shape of `like` if they are undefined.
Tensor or_zeros(const Tensor& matrices, const Tensor& like) {
  return matrices.defined() ? matrices : structured::zeros_like(like);
}

// Differences `values[j] - values[i]`, with 1 on the diagonal.
Tensor differences(const Tensor& values) {
  const Tensor all = structured::sub(structured::unsqueeze(values, -2), structured::unsqueeze(values, -1));
  const int64_t n = values.size(-1);
  return structured::add(all, structured::eye(n, values.options()));
}

void check_phase_free(const Tensor& products, const char* message) {
  if (!products.is_complex() || products.numel() == 0) return;
  const Tensor phases = structured::abs(imaginary_part(structured::diagonal(products.detach(), 0, -2, -1)));
  STRUCTURED_CHECK(structured::item(structured::max(phases)).to<double>() <= 1e-2, message);
}

}  // namespace

[[structured::backward("linalg_cholesky_ex")]]
Tensor cholesky(const Tensor& grad, const Tensor& L, bool upper) {
  if (!grad.defined()) return Tensor();
  const Tensor factor = upper ? adjoint(L) : L;
  const Tensor of_factor = upper ? adjoint(grad) : grad;
  const Tensor lower = structured::tril(structured::matmul(adjoint(factor), of_factor));
  const Tensor symmetric = structured::add(lower, adjoint(structured::tril(lower, -1)));
  const Tensor half = solved_upper(adjoint(factor), symmetric);
  return structured::mul(structured::linalg_solve_triangular(factor, half, false, false), 0.5);
}

/// Gradient of A = Q R. For fewer rows than columns, the rest of the columns of R is Q^H times those of A. Walter and
/// Lehmann, Algorithmic Differentiation of Linear Algebra Functions with Application in Optimum Experimental Design,
/// 2010.
[[structured::backward("linalg_qr")]]
Tensor qr(const Tensor& grad_Q, const Tensor& grad_R, const Tensor& Q, const Tensor& R, std::string_view mode) {
  if (!grad_Q.defined() && !grad_R.defined()) return Tensor();
  STRUCTURED_CHECK(mode != "r",
                   "The derivative of linalg_qr depends on Q, which is not computed when mode='r'. Please use "
                   "linalg_qr(A, mode='reduced') if you are going to require gradients through A");
  const int64_t rows = R.size(-2);
  const int64_t columns = R.size(-1);
  STRUCTURED_CHECK(mode != "complete" || rows <= columns,
                   "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  const int64_t order = std::min(rows, columns);
  Tensor of_Q = or_zeros(grad_Q, Q);
  const Tensor of_R = or_zeros(grad_R, R);
  const Tensor square = structured::narrow(R, -1, 0, order);
  const Tensor of_square = structured::narrow(of_R, -1, 0, order);
  Tensor of_rest;
  if (order < columns) {
    const Tensor rest = structured::narrow(of_R, -1, order, columns - order);
    of_rest = structured::matmul(Q, rest);
    const Tensor rest_of_A = structured::matmul(Q, structured::narrow(R, -1, order, columns - order));
    of_Q = structured::add(of_Q, structured::matmul(rest_of_A, adjoint(rest)));
  }
  const Tensor product =
      structured::sub(structured::matmul(of_square, adjoint(square)), structured::matmul(adjoint(Q), of_Q));
  const Tensor upper = structured::triu(product);
  const Tensor diagonal = structured::diagonal(upper, 0, -2, -1);
  const Tensor kept =
      diagonal.is_complex() ? structured::mul(structured::add(diagonal, conjugate(diagonal)), 0.5) : diagonal;
  const Tensor above = structured::triu(product, 1);
  const Tensor symmetric = structured::add(structured::add(above, adjoint(above)), structured::diag_embed(kept));
  const Tensor of_first = structured::linalg_solve_triangular(
      adjoint(square), structured::add(of_Q, structured::matmul(Q, symmetric)), false, false);
  return order < columns ? structured::cat({of_first, of_rest}, -1) : of_first;
}

namespace {

// Gradient of A = P L U from those of L and U; one of the two may be undefined. Rows below the square part of L, and
// columns beside that of U, are solutions of triangular systems.
Tensor of_lu(const Tensor& grad_L, const Tensor& grad_U, const Tensor& P, const Tensor& L, const Tensor& U) {
  const int64_t rows = L.size(-2);
  const int64_t columns = U.size(-1);
  const int64_t order = std::min(rows, columns);
  Tensor of_L = or_zeros(grad_L, L);
  Tensor of_U = or_zeros(grad_U, U);
  const Tensor square_L = structured::narrow(L, -2, 0, order);
  const Tensor square_U = structured::narrow(U, -1, 0, order);
  Tensor of_rest;
  if (rows < columns) {
    of_rest = solved_upper(adjoint(L), structured::narrow(of_U, -1, order, columns - order), true);
    const Tensor rest = structured::narrow(U, -1, order, columns - order);
    of_L = structured::sub(of_L, structured::matmul(of_rest, adjoint(rest)));
    of_U = structured::narrow(of_U, -1, 0, order);
  } else if (rows > columns) {
    const Tensor below = structured::narrow(of_L, -2, order, rows - order);
    of_rest = structured::linalg_solve_triangular(adjoint(U), below, false, false);
    const Tensor rest = structured::narrow(L, -2, order, rows - order);
    of_U = structured::sub(of_U, structured::matmul(adjoint(rest), of_rest));
    of_L = structured::narrow(of_L, -2, 0, order);
  }
  const Tensor lower = structured::tril(structured::matmul(adjoint(square_L), of_L), -1);
  const Tensor upper = structured::triu(structured::matmul(of_U, adjoint(square_U)));
  const Tensor half = solved_upper(adjoint(square_L), structured::add(lower, upper), true);
  Tensor result = structured::linalg_solve_triangular(adjoint(square_U), half, false, false);
  if (of_rest.defined()) result = structured::cat({result, of_rest}, rows < columns ? -1 : -2);
  return P.dim() < 2 ? result : structured::matmul(P, result);
}

}  // namespace

[[structured::backward("linalg_lu")]]
Tensor lu(const Tensor& grad_L, const Tensor& grad_U, const Tensor& P, const Tensor& L, const Tensor& U) {
  if (!grad_L.defined() && !grad_U.defined()) return Tensor();
  return of_lu(grad_L, grad_U, P, L, U);
}

[[structured::backward("linalg_lu_factor_ex")]]
Tensor lu_factor(const Tensor& grad, const Tensor& LU, const Tensor& pivots, bool pivot) {
  if (!grad.defined()) return Tensor();
  const auto [P, L, U] = structured::lu_unpack(LU, pivots, true, pivot);
  const int64_t order = std::min(LU.size(-2), LU.size(-1));
  const Tensor of_L = structured::narrow(structured::tril(grad, -1), -1, 0, order);
  const Tensor of_U = structured::narrow(structured::triu(grad), -2, 0, order);
  return of_lu(of_L, of_U, P, L, U);
}

[[structured::backward("lu_unpack", "LU_data")]]
Tensor unpack(const Tensor& grad_L, const Tensor& grad_U, IntArrayRef LU_data_sizes, bool unpack_data) {
  if (!unpack_data || (!grad_L.defined() && !grad_U.defined())) return Tensor();
  const int64_t rows = LU_data_sizes[LU_data_sizes.size() - 2];
  const int64_t columns = LU_data_sizes[LU_data_sizes.size() - 1];
  const auto padded = [&](const Tensor& part) {
    return structured::constant_pad_nd(part, {0, columns - part.size(-1), 0, rows - part.size(-2)});
  };
  if (!grad_U.defined()) return padded(structured::tril(grad_L, -1));
  if (!grad_L.defined()) return padded(structured::triu(grad_U));
  return structured::add(padded(structured::tril(grad_L, -1)), padded(structured::triu(grad_U)));
}

namespace {

// Gradient of A = V diag(L) V^-1.
Tensor of_eigen(const Tensor& grad_L, const Tensor& grad_V, const Tensor& L, const Tensor& V, bool is_hermitian) {
  const Tensor turned = adjoint(V);
  const auto transformed = [&](const Tensor& inner) {
    const Tensor right = structured::matmul(inner, turned);
    return is_hermitian ? structured::matmul(V, right) : structured::linalg_solve(turned, right);
  };
  if (!grad_V.defined()) {
    const Tensor weights =
        V.is_complex() && !grad_L.is_complex() ? structured::mul(grad_L, Complex<double>(1, 0)) : grad_L;
    return transformed(structured::diag_embed(weights));
  }
  const Tensor product = structured::matmul(turned, grad_V);
  check_phase_free(product, is_hermitian
                                ? "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
                                  "multiplication by e^{i phi}. The specified loss function depends on this "
                                  "quantity, so it is ill-defined."
                                : "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
                                  "multiplication by e^{i phi}. The specified loss function depends on this "
                                  "quantity, so it is ill-defined.");
  Tensor tangent;
  if (is_hermitian) {
    tangent = structured::mul(structured::sub(product, adjoint(product)), 0.5);
  } else {
    const Tensor sizes = real_part(structured::diagonal(product, 0, -2, -1));
    tangent =
        structured::sub(product, structured::matmul(turned, structured::mul(V, structured::unsqueeze(sizes, -2))));
  }
  const Tensor gaps = is_hermitian ? differences(L) : conjugate(differences(L));
  tangent = structured::div(tangent, gaps);
  if (grad_L.defined()) tangent = structured::add(tangent, structured::diag_embed(grad_L));
  return transformed(tangent);
}

}  // namespace

[[structured::backward("_linalg_eigh")]]
Tensor eigh(const Tensor& grad_eigenvalues, const Tensor& grad_eigenvectors, const Tensor& eigenvalues,
            const Tensor& eigenvectors, bool compute_v) {
  if (!grad_eigenvalues.defined() && !grad_eigenvectors.defined()) return Tensor();
  STRUCTURED_CHECK(compute_v, "the derivative of _linalg_eigh needs eigenvectors; expected `compute_v` to be true");
  return of_eigen(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors, true);
}

[[structured::backward("linalg_eig")]]
Tensor eig(const Tensor& grad_eigenvalues, const Tensor& grad_eigenvectors, const Tensor& eigenvalues,
           const Tensor& eigenvectors) {
  if (!grad_eigenvalues.defined() && !grad_eigenvectors.defined()) return Tensor();
  return of_eigen(grad_eigenvalues, grad_eigenvectors, eigenvalues, eigenvectors, false);
}

[[structured::backward("_linalg_svd")]]
Tensor svd(const Tensor& grad_U, const Tensor& grad_S, const Tensor& grad_Vh, const Tensor& U, const Tensor& S,
           const Tensor& Vh, bool compute_uv) {
  if (!grad_U.defined() && !grad_S.defined() && !grad_Vh.defined()) return Tensor();
  STRUCTURED_CHECK(compute_uv,
                   "the derivative of _linalg_svd needs singular vectors; expected `compute_uv` to be true");
  const int64_t order = S.size(-1);
  const auto columns = [&](const Tensor& a) { return a.defined() ? structured::narrow(a, -1, 0, order) : a; };
  const auto rows = [&](const Tensor& a) { return a.defined() ? structured::narrow(a, -2, 0, order) : a; };
  const Tensor left = columns(U);
  const Tensor right = rows(Vh);
  const Tensor of_left = columns(grad_U);
  const Tensor of_right = rows(grad_Vh);
  const Tensor by_column = structured::unsqueeze(S, -2);
  const Tensor by_row = structured::unsqueeze(S, -1);
  Tensor inner = structured::diag_embed(converted(or_zeros(grad_S, S), U));
  const auto skew = [](const Tensor& a) { return structured::sub(a, adjoint(a)); };
  const Tensor gaps = differences(structured::mul(S, S));
  Tensor skew_left;
  if (of_left.defined()) {
    skew_left = skew(structured::matmul(adjoint(left), of_left));
    inner = structured::add(inner, structured::mul(structured::div(skew_left, gaps), by_column));
  }
  Tensor skew_right;
  if (of_right.defined()) {
    skew_right = skew(structured::matmul(right, adjoint(of_right)));
    inner = structured::add(inner, structured::mul(by_row, structured::div(skew_right, gaps)));
  }
  if (U.is_complex() && skew_left.defined() && skew_right.defined()) {
    check_phase_free(structured::add(skew_left, skew_right),
                     "svd_backward: The singular vectors in the complex case are specified up to multiplication by "
                     "e^{i phi}. The specified loss function depends on this phase term, making it ill-defined.");
    const Tensor phases = structured::div(structured::diagonal(skew_left, 0, -2, -1), structured::mul(S, 2));
    inner = structured::add(inner, structured::diag_embed(phases));
  }
  const int64_t m = U.size(-2);
  const int64_t n = Vh.size(-1);
  if (m > order && of_left.defined()) {
    const Tensor outside = structured::div(of_left, by_column);
    const Tensor projected =
        structured::sub(outside, structured::matmul(left, structured::matmul(adjoint(left), outside)));
    return structured::matmul(structured::add(structured::matmul(left, inner), projected), right);
  }
  if (n > order && of_right.defined()) {
    const Tensor outside = structured::div(of_right, by_row);
    const Tensor projected =
        structured::sub(outside, structured::matmul(structured::matmul(outside, adjoint(right)), right));
    return structured::matmul(left, structured::add(structured::matmul(inner, right), projected));
  }
  return structured::matmul(left, structured::matmul(inner, right));
}

namespace {

// The products of the reflections I - tau v v^H and `matrices`, or of their adjoints in reverse order. `reflections`
// has vectors v as columns below the diagonal, where they have 1.
Tensor reflected(const Tensor& reflections, const Tensor& tau, Tensor matrices, bool is_adjoint) {
  const Tensor below = structured::tril(reflections, -1);
  const Tensor vectors =
      structured::add(below, structured::eye(reflections.size(-2), reflections.size(-1), below.options()));
  const int64_t count = tau.size(-1);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = is_adjoint ? k : count - 1 - k;
    const Tensor v = structured::narrow(vectors, -1, i, 1);
    const Tensor factor = structured::unsqueeze(structured::narrow(tau, -1, i, 1), -1);
    const Tensor part = structured::matmul(v, structured::matmul(adjoint(v), matrices));
    matrices = structured::sub(matrices, structured::mul(is_adjoint ? conjugate(factor) : factor, part));
  }
  return matrices;
}

}  // namespace

[[structured::backward("linalg_householder_product")]]
TwoTensors householder_product(const Tensor& grad, const Tensor& input, const Tensor& tau) {
  const auto function = [&](const std::vector<Tensor>& inputs) {
    const Tensor columns = structured::eye(input.size(-2), input.size(-1), input.options());
    return std::vector<Tensor>{reflected(inputs[0], inputs[1], columns, false)};
  };
  const std::vector<Tensor> result = gradients_through(function, {input, tau}, {grad});
  return {result[0], result[1]};
}

[[structured::backward("ormqr")]]
ThreeTensors ormqr(const Tensor& grad, const Tensor& self, const Tensor& input2, const Tensor& input3, bool left,
                   bool transpose) {
  const auto function = [&](const std::vector<Tensor>& inputs) {
    if (left) return std::vector<Tensor>{reflected(inputs[0], inputs[1], inputs[2], transpose)};
    return std::vector<Tensor>{adjoint(reflected(inputs[0], inputs[1], adjoint(inputs[2]), !transpose))};
  };
  const std::vector<Tensor> result = gradients_through(function, {self, input2, input3}, {grad});
  return {result[0], result[1], result[2]};
}

}  // namespace structured::derivatives
