// Meta functions of glu, prelu and log_sigmoid_forward.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/iterator/tensor_iterator.h>

namespace structured::kernels {

/// Gated linear unit: `a * sigmoid(b)`, where `a` and `b` are the first and second half of `self` along `dim`. The size
/// along `dim` must be even and is halved in the result. Floating-point dtypes only.
[[structured::meta("glu", "glu.out")]]
void glu_meta(TensorIteratorBase& op, const Tensor& self, int64_t dim = -1) {
  STRUCTURED_CHECK(self.dim() > 0, "glu: expected `self` to have dimensions");
  check_dtype("glu", self.scalar_type(), kAllFloatingTypes);
  const int64_t wrapped = wrap_dim(dim, self.dim());
  const int64_t size = self.size(wrapped);
  STRUCTURED_CHECK(size % 2 == 0, "glu: expected an even size along dimension ", wrapped, ", got ", size);
  DimVector sizes(self.sizes());
  sizes[static_cast<size_t>(wrapped)] = size / 2;
  const int64_t half = self.numel() == 0 ? 0 : size / 2 * self.stride(wrapped);
  TensorIteratorConfig config;
  config.promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).enforce_safe_casting_to_output(true);
  config.add_output(op.maybe_get_output())
      .add_input(as_strided(self, sizes, self.strides(), self.storage_offset()))
      .add_input(as_strided(self, sizes, self.strides(), self.storage_offset() + half));
  op.build(config);
}

/// Parametric rectified linear unit: `self` where `self > 0`, `weight * self` elsewhere. `weight` has one element, or
/// one for each channel of `self` [N, C, ...], and the dtype of `self`. Floating-point dtypes only.
[[structured::meta("prelu", "prelu.out")]]
void prelu_meta(MetaBase& op, const Tensor& self, const Tensor& weight) {
  check_dtype("prelu", self.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(weight.scalar_type() == self.scalar_type(), "prelu: expected `weight` of dtype ", self.scalar_type(),
                   ", got ", weight.scalar_type());
  STRUCTURED_CHECK(weight.dim() <= 1, "prelu: expected `weight` to have 1 dimension at most, got sizes ",
                   weight.sizes());
  if (weight.numel() != 1) {
    const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    STRUCTURED_CHECK(self.dim() > 0 && weight.numel() == channels,
                     "prelu: expected one element of `weight` for each channel of `self`, got sizes ", weight.sizes(),
                     " for ", self.sizes());
  }
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

/// Logarithm of the sigmoid, `log(1 / (1 + exp(-self)))`, and the buffer `exp(-|self|)`, which the gradient uses. Both
/// have the shape of `self`. Floating-point dtypes only.
[[structured::meta("log_sigmoid_forward", "log_sigmoid_forward.output"),
  structured::returns("log_sigmoid_forward", "output", "buffer"), structured::device_check(false)]]
void log_sigmoid_forward_meta(MetaBase& op, const Tensor& self) {
  check_dtype("log_sigmoid_forward", self.scalar_type(), kAllFloatingTypes);
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
  op.set_output_raw_strided(1, self.sizes(), {}, self.options());
}

}  // namespace structured::kernels
