// Norms and distances by their other names.
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/ops/_cdist_forward.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/sub.h>
#include <structured/structured.h>

#include <optional>

namespace structured::kernels {

/// The `p`-norm over the dimensions `dim` (all, if it is empty), the Euclidean one without `p`, see linalg_vector_norm.
[[structured::kernel("norm.ScalarOpt_dim", "CompositeExplicitAutograd")]]
Tensor norm_dim(const Tensor& self, const std::optional<Scalar>& p, [[structured::size(1)]] IntArrayRef dim,
                bool keepdim = false) {
  return structured::linalg_vector_norm(self, p.value_or(2), dim, keepdim);
}

/// The same, into `out`.
[[structured::kernel("norm.out", "CompositeExplicitAutograd")]]
Tensor& norm_out(const Tensor& self, const std::optional<Scalar>& p, [[structured::size(1)]] IntArrayRef dim,
                 [[structured::schema_default("False")]] bool keepdim, Tensor& out) {
  return structured::linalg_vector_norm_out(out, self, p.value_or(2), dim, keepdim);
}

/// The same of elements that are converted to `dtype` first.
[[structured::kernel("norm.ScalarOpt_dim_dtype", "CompositeExplicitAutograd")]]
Tensor norm_dim_dtype(const Tensor& self, const std::optional<Scalar>& p, [[structured::size(1)]] IntArrayRef dim,
                      bool keepdim, [[structured::kwonly]] ScalarType dtype) {
  return structured::linalg_vector_norm(self, p.value_or(2), dim, keepdim, dtype);
}

/// The same, into `out`.
[[structured::kernel("norm.dtype_out", "CompositeExplicitAutograd")]]
Tensor& norm_dtype_out(const Tensor& self, const std::optional<Scalar>& p, [[structured::size(1)]] IntArrayRef dim,
                       bool keepdim, [[structured::kwonly]] ScalarType dtype, Tensor& out) {
  return structured::linalg_vector_norm_out(out, self, p.value_or(2), dim, keepdim, dtype);
}

/// The `p`-norm of all elements.
[[structured::kernel("norm.Scalar", "CompositeExplicitAutograd")]]
Tensor norm(const Tensor& self, const Scalar& p = 2) {
  return structured::linalg_vector_norm(self, p);
}

/// The same of elements that are converted to `dtype` first.
[[structured::kernel("norm.ScalarOpt_dtype", "CompositeExplicitAutograd")]]
Tensor norm_dtype(const Tensor& self, const std::optional<Scalar>& p, [[structured::kwonly]] ScalarType dtype) {
  return structured::linalg_vector_norm(self, p.value_or(2), std::nullopt, false, dtype);
}

/// The `p`-norm of the difference of two tensors, which are broadcast.
[[structured::kernel("dist", "CompositeExplicitAutograd")]]
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2) {
  return structured::linalg_vector_norm(structured::sub(self, other), p);
}

/// The same, into `out`.
[[structured::kernel("dist.out", "CompositeExplicitAutograd")]]
Tensor& dist_out(const Tensor& self, const Tensor& other, [[structured::schema_default("2")]] const Scalar& p,
                 Tensor& out) {
  return structured::linalg_vector_norm_out(out, structured::sub(self, other), p);
}

/// The `p`-norm of the difference of each of the vectors `x1` [..., P, M] and each of `x2` [..., R, M]: [..., P, R].
[[structured::composite("cdist")]]
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<int64_t> compute_mode = std::nullopt) {
  return structured::_cdist_forward(x1, x2, p, compute_mode);
}

}  // namespace structured::kernels
