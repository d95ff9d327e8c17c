// Distances by their other names.
#include <structured/core/tensor.h>
#include <structured/ops/_cdist_forward.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/sub.h>
#include <structured/structured.h>

#include <optional>

namespace structured::kernels {

/// The `p`-norm of the difference of two tensors, which are broadcast, into `out`.
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
