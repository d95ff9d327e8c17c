// Meta function of the gradient of embedding.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/kernel/meta_base.h>
#include <structured/number/scalar_type.h>

#include <cstdint>

namespace structured::kernels {

/// Gradient of `embedding` with respect to its weight: [num_weights, M]. Row i of the result is the sum of the rows of
/// `grad_output` [..., M] where `indices` [...] is i.
///
/// Row `padding_idx` is 0. With `scale_grad_by_freq` each row is divided by the number of occurrences of its index.
/// `indices` is Long or Int; an index outside [0, num_weights) is an error. Floating-point dtypes only.
[[structured::meta("embedding_dense_backward", "embedding_dense_backward.out"), structured::tags("core")]]
void embedding_dense_backward_meta(MetaBase& op, const Tensor& grad_output, const Tensor& indices,
                                   [[structured::symint]] int64_t num_weights, [[maybe_unused]] int64_t padding_idx,
                                   [[maybe_unused]] bool scale_grad_by_freq) {
  constexpr const char* name = "embedding_dense_backward";
  STRUCTURED_CHECK(num_weights >= 0, name, ": expected `num_weights` of 0 or more, got ", num_weights);
  STRUCTURED_CHECK(indices.scalar_type() == kLong || indices.scalar_type() == kInt, name,
                   ": expected `indices` of dtype Long or Int, got ", indices.scalar_type());
  check_dtype(name, grad_output.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(grad_output.dim() >= 1, name, ": expected `grad_output` to have a dimension, got none");
  const int64_t width = grad_output.size(-1);
  STRUCTURED_CHECK(grad_output.numel() == indices.numel() * width, name, ": expected `grad_output` to have a row for ",
                   "each of `indices`, got sizes ", grad_output.sizes(), " for ", indices.sizes());
  op.set_output_raw_strided(0, {num_weights, width}, {}, grad_output.options());
}

}  // namespace structured::kernels
