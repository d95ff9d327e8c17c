// Meta functions of softmax, log_softmax and logsumexp.
#include <structured/core/error.h>
#include <structured/core/names.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>

namespace structured::kernels {
namespace {

void set_softmax(const char* name, MetaBase& op, const Tensor& self, int64_t dim, bool half_to_float) {
  wrap_dim(dim, self.dim());
  STRUCTURED_CHECK(structured::is_floating(self.scalar_type()) || self.numel() == 0, name,
                   ": expected `self` of dtype ", kAllFloatingTypes, ", got ", self.scalar_type());
  STRUCTURED_CHECK(!half_to_float || self.scalar_type() == kHalf, name,
                   ": expected `self` of dtype Half for `half_to_float`, got ", self.scalar_type());
  op.set_output_contiguous(0, self.sizes(),
                           half_to_float ? self.options().dtype(kFloat) : self.options().dtype(self.scalar_type()));
  if (self.has_names()) [[unlikely]]
    op.set_output_names(0, self.names());
}

}  // namespace

/// Softmax along `dim`: `exp(x) / sum(exp(x))`. The result has the dtype of `self`, or Float if `half_to_float`, which
/// requires Half input. Floating-point dtypes only, unless `self` is empty.
[[structured::meta("_softmax", "_softmax.out"), structured::tags("core")]]
void softmax_meta(MetaBase& op, const Tensor& self, int64_t dim, bool half_to_float) {
  set_softmax("_softmax", op, self, dim, half_to_float);
}

/// Logarithm of softmax along `dim`: `x - log(sum(exp(x)))`, accurate where softmax underflows. The result has the
/// dtype of `self`, or Float if `half_to_float`, which requires Half input. Floating-point dtypes only, unless `self`
/// is empty.
[[structured::meta("_log_softmax", "_log_softmax.out"), structured::tags("core")]]
void log_softmax_meta(MetaBase& op, const Tensor& self, int64_t dim, bool half_to_float) {
  set_softmax("_log_softmax", op, self, dim, half_to_float);
}

/// Logarithm of the sum of exponentials over the dimensions `dim` (all if empty), computed without overflow. Reduced
/// dimensions are removed, or kept with size 1 if `keepdim`. Integers and Bool give Float. ComplexHalf is not
/// supported.
[[structured::meta("logsumexp", "logsumexp.out")]]
void logsumexp_meta(MetaBase& op, const Tensor& self, [[structured::size(1)]] IntArrayRef dim, bool keepdim = false) {
  STRUCTURED_CHECK(self.scalar_type() != kComplexHalf, "logsumexp: ComplexHalf is not supported");
  const DimMask mask = reduced_dims("logsumexp", dim, self.dim());
  const ScalarType result = is_integral(self.scalar_type(), true) ? kFloat : self.scalar_type();
  op.set_output_raw_strided(0, reduced_sizes(self.sizes(), mask, keepdim), {}, self.options().dtype(result));
  if (self.has_names()) [[unlikely]]
    op.set_output_names(0, reduced_names(self.names(), mask, keepdim));
}

}  // namespace structured::kernels
