// Meta functions of pairwise distances.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/shape.h>
#include <structured/kernel/meta_base.h>
#include <structured/kernel/refined.h>
#include <structured/number/scalar_type.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {
namespace {

void check_vectors(const char* name, const Tensor& x1, const Tensor& x2, ScalarTypeSet types) {
  check_dtype(name, x1.scalar_type(), types);
  STRUCTURED_CHECK(x2.scalar_type() == x1.scalar_type(), name, ": expected `x1` and `x2` to have one dtype, got ",
                   x1.scalar_type(), " and ", x2.scalar_type());
  STRUCTURED_CHECK(x1.dim() >= 2 && x2.dim() >= 2, name, ": expected `x1` and `x2` to have 2 dimensions or more, got ",
                   x1.dim(), " and ", x2.dim());
  STRUCTURED_CHECK(x1.size(-1) == x2.size(-1), name,
                   ": expected `x1` and `x2` to have the same number of columns, got ", x1.size(-1), " and ",
                   x2.size(-1));
}

void set_distances(MetaBase& op, const Tensor& x1, const Tensor& x2) {
  const IntArrayRef a(x1.sizes().data(), x1.sizes().size() - 2);
  const IntArrayRef b(x2.sizes().data(), x2.sizes().size() - 2);
  DimVector sizes = broadcast_shape(a, b);
  sizes.push_back(x1.size(-2));
  sizes.push_back(x2.size(-2));
  op.set_output_contiguous(0, sizes, x1.options());
}

}  // namespace

/// Pairwise distances in the `p`-norm between the rows of `x1` [..., P, M] and `x2` [..., R, M]: [..., P, R]. Batch
/// dimensions are broadcast. `p` must not be negative; `compute_mode` (0 to 2) has no effect. Float and Double only,
/// unless an operand is empty.
[[structured::meta("_cdist_forward", "_cdist_forward.out")]]
void cdist_forward_meta(MetaBase& op, const Tensor& x1, const Tensor& x2, double p,
                        std::optional<int64_t> compute_mode) {
  const bool has_elements = x1.numel() != 0 && x2.numel() != 0;
  check_vectors("_cdist_forward", x1, x2, has_elements ? kFloatingTypes : kAllFloatingTypes);
  STRUCTURED_CHECK(p >= 0, "_cdist_forward: expected a `p` of 0 or more, got ", p);
  STRUCTURED_CHECK(!compute_mode || (*compute_mode >= 0 && *compute_mode <= 2),
                   "_cdist_forward: expected a `compute_mode` from 0 to 2, got ", compute_mode.value_or(0));
  set_distances(op, x1, x2);
}

/// Pairwise Euclidean distances between the rows of `x1` [..., P, M] and `x2` [..., R, M]: [..., P, R]. Batch
/// dimensions are broadcast. Floating-point dtypes only.
[[structured::meta("_euclidean_dist", "_euclidean_dist.out")]]
void euclidean_dist_meta(MetaBase& op, const Tensor& x1, const Tensor& x2) {
  check_vectors("_euclidean_dist", x1, x2, kAllFloatingTypes);
  set_distances(op, x1, x2);
}

/// Distances in the `p`-norm between all pairs of rows of `self` [N, M]: [N * (N - 1) / 2], in the order (0, 1), (0,
/// 2), ..., (N - 2, N - 1). `p` must not be negative. Float and Double only, unless
/// an operand is empty.
[[structured::meta("_pdist_forward", "_pdist_forward.out")]]
void pdist_forward_meta(MetaBase& op, RankedTensor<2> self, double p = 2) {
  constexpr const char* name = "_pdist_forward";
  const bool has_pairs = self.size(0) > 1 && self.size(1) != 0;
  check_dtype(name, self.dtype(), has_pairs ? kFloatingTypes : kAllFloatingTypes);
  STRUCTURED_CHECK(p >= 0, name, ": expected a `p` of 0 or more, got ", p);
  const int64_t count = self.size(0);
  op.set_output_contiguous(0, {count < 2 ? 0 : count * (count - 1) / 2}, self.options());
}

}  // namespace structured::kernels
