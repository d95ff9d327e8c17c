// Meta functions of softmax, log_softmax and logsumexp.
#include <structured/base/error.h>
#include <structured/core/names.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/reduced_dims.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

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

void set_softmax_gradient(const char* name, MetaBase& op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                          ScalarType input_dtype) {
  STRUCTURED_CHECK(grad_output.sizes() == output.sizes(), name,
                   ": expected `grad_output` and `output` of one shape, got ", grad_output.sizes(), " and ",
                   output.sizes());
  STRUCTURED_CHECK(grad_output.scalar_type() == output.scalar_type(), name,
                   ": expected `grad_output` and `output` of one dtype, got ", grad_output.scalar_type(), " and ",
                   output.scalar_type());
  STRUCTURED_CHECK(structured::is_floating(grad_output.scalar_type()) || grad_output.numel() == 0, name,
                   ": expected `grad_output` of dtype ", kAllFloatingTypes, ", got ", grad_output.scalar_type());
  const bool is_narrowed = grad_output.scalar_type() == kFloat && input_dtype == kHalf;
  STRUCTURED_CHECK(is_narrowed || input_dtype == grad_output.scalar_type(), name, ": expected `input_dtype` ",
                   grad_output.scalar_type(), ", or Half with `grad_output` of dtype Float, got ", input_dtype);
  wrap_dim(dim, grad_output.dim());
  op.set_output_contiguous(0, grad_output.sizes(), grad_output.options().dtype(input_dtype));
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

/// Gradient of `_softmax` with respect to its input: `output * (grad_output - sum(grad_output * output))`, summed along
/// `dim`. `output` is the result of `_softmax`; `grad_output` has its shape and dtype. The result has `input_dtype`,
/// which is the dtype of `grad_output`, or Half if that is Float.
[[structured::meta("_softmax_backward_data", "_softmax_backward_data.out")]]
void softmax_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                           ScalarType input_dtype) {
  set_softmax_gradient("_softmax_backward_data", op, grad_output, output, dim, input_dtype);
}

/// Gradient of `_log_softmax` with respect to its input: `grad_output - exp(output) * sum(grad_output)`, summed along
/// `dim`. `output` is the result of `_log_softmax`; `grad_output` has its shape and dtype. The result has
/// `input_dtype`, which is the dtype of `grad_output`, or Half if that is Float.
[[structured::meta("_log_softmax_backward_data", "_log_softmax_backward_data.out")]]
void log_softmax_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& output, int64_t dim,
                               ScalarType input_dtype) {
  set_softmax_gradient("_log_softmax_backward_data", op, grad_output, output, dim, input_dtype);
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
