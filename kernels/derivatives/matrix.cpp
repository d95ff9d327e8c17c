// Derivatives of matrix products.
#include <structured/core/factory.h>
#include <structured/ops/abs.h>
#include <structured/ops/bmm.h>
#include <structured/ops/div.h>
#include <structured/ops/eq.h>
#include <structured/ops/expand.h>
#include <structured/ops/index_add.h>
#include <structured/ops/index_select.h>
#include <structured/ops/logical_or.h>
#include <structured/ops/masked_fill.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/mv.h>
#include <structured/ops/neg.h>
#include <structured/ops/pow.h>
#include <structured/ops/select.h>
#include <structured/ops/sgn.h>
#include <structured/ops/sub.h>
#include <structured/ops/sum.h>
#include <structured/ops/transpose.h>
#include <structured/ops/triu_indices.h>
#include <structured/ops/unsqueeze.h>
#include <structured/ops/zeros_like.h>

#include <cmath>
#include <cstdint>

#include "derivatives/formula.h"

namespace structured::derivatives {

[[structured::backward("mm", "self")]]
Tensor mm_self(const Tensor& grad, const Tensor& mat2) {
  return structured::mm(grad, adjoint(mat2));
}

[[structured::backward("mm", "mat2")]]
Tensor mm_other(const Tensor& grad, const Tensor& self) {
  return structured::mm(adjoint(self), grad);
}

[[structured::backward("bmm", "self")]]
Tensor bmm_self(const Tensor& grad, const Tensor& mat2) {
  return structured::bmm(grad, adjoint(mat2));
}

[[structured::backward("bmm", "mat2")]]
Tensor bmm_other(const Tensor& grad, const Tensor& self) {
  return structured::bmm(adjoint(self), grad);
}

[[structured::backward("addmm", "self")]] [[structured::backward("baddbmm", "self")]] [[structured::backward("addmv",
                                                                                                             "self")]]
Tensor addend(const Tensor& grad, const Scalar& beta) {
  return scaled(grad, conjugate(beta));
}

[[structured::backward("addmm", "mat1")]]
Tensor addmm_left(const Tensor& grad, const Tensor& mat2, const Scalar& alpha) {
  return scaled(structured::mm(grad, adjoint(mat2)), conjugate(alpha));
}

[[structured::backward("addmm", "mat2")]]
Tensor addmm_right(const Tensor& grad, const Tensor& mat1, const Scalar& alpha) {
  return scaled(structured::mm(adjoint(mat1), grad), conjugate(alpha));
}

[[structured::backward("baddbmm", "batch1")]]
Tensor baddbmm_left(const Tensor& grad, const Tensor& batch2, const Scalar& alpha) {
  return scaled(structured::bmm(grad, adjoint(batch2)), conjugate(alpha));
}

[[structured::backward("baddbmm", "batch2")]]
Tensor baddbmm_right(const Tensor& grad, const Tensor& batch1, const Scalar& alpha) {
  return scaled(structured::bmm(adjoint(batch1), grad), conjugate(alpha));
}

[[structured::backward("mv", "self")]]
Tensor mv_matrix(const Tensor& grad, const Tensor& vec) {
  return structured::mul(structured::unsqueeze(grad, 1), structured::unsqueeze(conjugate(vec), 0));
}

[[structured::backward("mv", "vec")]]
Tensor mv_vector(const Tensor& grad, const Tensor& self) {
  return structured::mv(adjoint(self), grad);
}

[[structured::backward("addmv", "mat")]]
Tensor addmv_matrix(const Tensor& grad, const Tensor& vec, const Scalar& alpha) {
  return scaled(mv_matrix(grad, vec), conjugate(alpha));
}

[[structured::backward("addmv", "vec")]]
Tensor addmv_vector(const Tensor& grad, const Tensor& mat, const Scalar& alpha) {
  return scaled(structured::mv(adjoint(mat), grad), conjugate(alpha));
}

[[structured::backward("dot", "self")]]
Tensor dot_self(const Tensor& grad, const Tensor& tensor) {
  return structured::mul(grad, conjugate(tensor));
}

[[structured::backward("dot", "tensor")]]
Tensor dot_other(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, conjugate(self));
}

[[structured::backward("vdot", "self")]]
Tensor vdot_self(const Tensor& grad, const Tensor& other) {
  return structured::mul(conjugate(grad), other);
}

[[structured::backward("vdot", "other")]]
Tensor vdot_other(const Tensor& grad, const Tensor& self) {
  return structured::mul(grad, self);
}

[[structured::backward("addr", "self")]] [[structured::backward("addbmm", "self")]]
Tensor added(const Tensor& grad, const Scalar& beta) {
  return scaled(grad, conjugate(beta));
}

[[structured::backward("addr", "vec1")]]
Tensor addr_left(const Tensor& grad, const Tensor& vec2, const Scalar& alpha) {
  return scaled(structured::mv(grad, conjugate(vec2)), conjugate(alpha));
}

[[structured::backward("addr", "vec2")]]
Tensor addr_right(const Tensor& grad, const Tensor& vec1, const Scalar& alpha) {
  return scaled(structured::mv(structured::transpose(grad, 0, 1), conjugate(vec1)), conjugate(alpha));
}

/// `grad` as one of the matrices whose sum it is the gradient of.
Tensor for_each_matrix(const Tensor& grad, int64_t count) {
  return structured::expand(structured::unsqueeze(grad, 0), {count, grad.size(0), grad.size(1)});
}

[[structured::backward("addbmm", "batch1")]]
Tensor addbmm_left(const Tensor& grad, const Tensor& batch2, const Scalar& alpha) {
  return scaled(structured::bmm(for_each_matrix(grad, batch2.size(0)), adjoint(batch2)), conjugate(alpha));
}

[[structured::backward("addbmm", "batch2")]]
Tensor addbmm_right(const Tensor& grad, const Tensor& batch1, const Scalar& alpha) {
  return scaled(structured::bmm(adjoint(batch1), for_each_matrix(grad, batch1.size(0))), conjugate(alpha));
}

/// Gradients of distances sqrt(|x1|^2 + |x2|^2 - 2 x1 x2); 0 where the distance is 0.
[[structured::backward("_euclidean_dist")]]
TwoTensors euclidean_dist(const Tensor& grad, const Tensor& x1, const Tensor& x2, const Tensor& out) {
  const Tensor ratio = structured::masked_fill(structured::div(grad, out), structured::eq(out, 0), 0);
  const Tensor of_first =
      structured::sub(structured::mul(x1, structured::sum(ratio, -1, true)), structured::matmul(ratio, x2));
  const Tensor column_sums = structured::unsqueeze(structured::sum(ratio, -2, false), -1);
  const Tensor of_second =
      structured::sub(structured::mul(x2, column_sums), structured::matmul(structured::transpose(ratio, -2, -1), x1));
  return {of_first, of_second};
}

namespace {

/// Derivative of the p-norm `distance` of `difference` over the last dimension, by the elements of `difference`.
Tensor slope_of_norm(const Tensor& difference, const Tensor& distance, double p) {
  const Tensor norm = structured::unsqueeze(distance, -1);
  const Tensor sign = structured::sgn(difference);
  if (p == 0) return structured::zeros_like(difference);
  if (p == 1) return sign;
  const Tensor size = structured::abs(difference);
  if (std::isinf(p)) return structured::mul(sign, structured::eq(size, norm));
  const Tensor is_zero = structured::eq(norm, 0);
  const Tensor ratio = structured::div(size, structured::masked_fill(norm, is_zero, 1));
  const Tensor slope = p == 2 ? structured::mul(sign, ratio) : structured::mul(sign, structured::pow(ratio, p - 1));
  return structured::masked_fill(slope, structured::logical_or(is_zero, structured::eq(difference, 0)), 0);
}

}  // namespace

[[structured::backward("_cdist_forward")]]
TwoTensors cdist(const Tensor& grad, const Tensor& x1, const Tensor& x2, const Tensor& out, double p) {
  // As in PyTorch, products of matrices for many rows: differences of all pairs of rows would need too much memory.
  if (p == 2 && (x1.size(-2) > 25 || x2.size(-2) > 25)) {
    const auto [of_first, of_second] = euclidean_dist(grad, x1, x2, out);
    return {summed_to(of_first, x1.sizes()), summed_to(of_second, x2.sizes())};
  }
  const Tensor difference = structured::sub(structured::unsqueeze(x1, -2), structured::unsqueeze(x2, -3));
  const Tensor of_difference = structured::mul(structured::unsqueeze(grad, -1), slope_of_norm(difference, out, p));
  return {summed_to(structured::sum(of_difference, -2, false), x1.sizes()),
          summed_to(structured::neg(structured::sum(of_difference, -3, false)), x2.sizes())};
}

[[structured::backward("_pdist_forward")]]
Tensor pdist(const Tensor& grad, const Tensor& self, const Tensor& out, double p) {
  const int64_t rows = self.size(0);
  const Tensor pairs = structured::triu_indices(rows, rows, 1);
  const Tensor first = structured::select(pairs, 0, 0);
  const Tensor second = structured::select(pairs, 0, 1);
  const Tensor difference =
      structured::sub(structured::index_select(self, 0, first), structured::index_select(self, 0, second));
  const Tensor of_difference = structured::mul(structured::unsqueeze(grad, -1), slope_of_norm(difference, out, p));
  const Tensor of_first =
      structured::index_add(structured::zeros(self.sizes(), grad.options()), 0, first, of_difference);
  return structured::index_add(of_first, 0, second, of_difference, -1);
}

}  // namespace structured::derivatives
