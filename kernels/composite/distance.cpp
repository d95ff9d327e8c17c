// Composite kernels for dist.out and cdist.
#include <structured/core/tensor.h>
#include <structured/ops/_cdist_forward.h>
#include <structured/ops/linalg_vector_norm.h>
#include <structured/ops/sub.h>
#include <structured/structured.h>

#include <optional>

namespace structured::kernels {

/// Writes the `p`-norm of `self - other` to `out`. Inputs are broadcast; the difference must be floating-point.
[[structured::kernel("dist.out", "CompositeExplicitAutograd")]]
Tensor& dist_out(const Tensor& self, const Tensor& other, [[structured::schema_default("2")]] const Scalar& p,
                 Tensor& out) {
  return structured::linalg_vector_norm_out(out, structured::sub(self, other), p);
}

/// Pairwise distances in the `p`-norm between the rows of `x1` [..., P, M] and `x2` [..., R, M]: [..., P, R]. Batch
/// dimensions are broadcast. `compute_mode` (0 to 2) has no effect. Float and Double only.
[[structured::composite("cdist")]]
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<int64_t> compute_mode = std::nullopt) {
  return structured::_cdist_forward(x1, x2, p, compute_mode);
}

}  // namespace structured::kernels
