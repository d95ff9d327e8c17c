// Derivatives of matrix products.
#include <structured/ops/bmm.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/mv.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unsqueeze.h>

#include "derivatives/formula.h"

namespace structured::derivatives {

namespace {

// Conjugate transpose.
Tensor adjoint(const Tensor& matrix) { return conjugate(structured::transpose(matrix, -2, -1)); }

}  // namespace

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

}  // namespace structured::derivatives
