// Meta functions of norm.
#include <structured/base/error.h>
#include <structured/core/tensor.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace structured::kernels {
namespace {

void set_norm(MetaBase& op, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
              ScalarType dtype) {
  STRUCTURED_CHECK((kAllFloatingTypes | kComplexTypes).contains(dtype),
                   "norm: expected a floating-point or complex dtype, got ", dtype);
  const DimMask mask = reduced_dims("norm", dim, self.dim());
  const double order = p ? p->to<double>() : 2;
  const bool needs_elements = order < 0 || order == std::numeric_limits<double>::infinity();
  for (int64_t d = 0; needs_elements && d < self.dim(); ++d) {
    STRUCTURED_CHECK((mask >> d & 1) == 0 || self.size(d) != 0, "norm: expected elements along dimension ", d,
                     " for `p` ", order, ", got sizes ", self.sizes());
  }
  op.set_output_raw_strided(0, reduced_sizes(self.sizes(), mask, keepdim), {}, self.options().dtype(to_real(dtype)));
}

}  // namespace

/// `p`-norm over the dimensions `dim` (all if empty); `p` defaults to 2. Reduced dimensions are removed, or kept with
/// size 1 if `keepdim`. The result is real. Integers and Bool are not supported.
[[structured::meta("norm.ScalarOpt_dim", "norm.out")]]
void norm_meta(MetaBase& op, const Tensor& self, const std::optional<Scalar>& p,
               [[structured::size(1)]] IntArrayRef dim, bool keepdim = false) {
  set_norm(op, self, p, dim, keepdim, self.scalar_type());
}

/// `p`-norm over the dimensions `dim` (all if empty), computed in `dtype`; `p` defaults to 2. Elements are converted to
/// `dtype`, which must be floating-point or complex. Reduced dimensions are removed, or kept with size 1 if `keepdim`.
[[structured::meta("norm.ScalarOpt_dim_dtype", "norm.dtype_out")]]
void norm_dtype_meta(MetaBase& op, const Tensor& self, const std::optional<Scalar>& p,
                     [[structured::size(1)]] IntArrayRef dim, bool keepdim, [[structured::kwonly]] ScalarType dtype) {
  set_norm(op, self, p, dim, keepdim, dtype);
}

}  // namespace structured::kernels
