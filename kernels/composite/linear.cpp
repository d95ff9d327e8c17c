// Linear layer.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/ops/addmm.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty.h>
#include <structured/ops/matmul.h>
#include <structured/ops/mm.h>
#include <structured/ops/transpose.h>
#include <structured/ops/view.h>

#include <optional>

#include "composite/store_result.h"

namespace structured::kernels {
namespace {

Tensor dense_rows(const Tensor& tensor) {
  if (tensor.is_contiguous()) {
    return tensor;
  }
  Tensor copy = structured::empty(tensor.sizes(), tensor.options());
  return structured::copy_(copy, tensor);
}

bool has_bias(const std::optional<Tensor>& bias) { return bias && bias->defined(); }

// Checks all arguments, so that errors do not name the products that compute the result.
void check_arguments(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  STRUCTURED_CHECK(weight.dim() == 2 || (weight.dim() == 1 && !has_bias(bias)),
                   "linear: expected `weight` to be a matrix, or a vector without `bias`, got ", weight.dim(),
                   " dimensions");
  STRUCTURED_CHECK(input.dim() >= 1 && input.size(-1) == weight.size(-1),
                   "linear: expected the last dimension of `input` to have ", weight.size(-1),
                   " elements, as that of `weight` has, got sizes ", input.sizes());
  STRUCTURED_CHECK(input.scalar_type() == weight.scalar_type(), "linear: expected `weight` of dtype ",
                   input.scalar_type(), ", as `input` has, got ", weight.scalar_type());
  if (!has_bias(bias)) return;
  STRUCTURED_CHECK(input.scalar_type() == bias->scalar_type(), "linear: expected `bias` of dtype ", input.scalar_type(),
                   ", as `input` has, got ", bias->scalar_type());
  STRUCTURED_CHECK(bias->dim() == 0 || bias->size(-1) == 1 || bias->size(-1) == weight.size(0),
                   "linear: expected `bias` to have ", weight.size(0), " elements, as `weight` has rows, got sizes ",
                   bias->sizes());
}

}  // namespace

/// Linear transformation: `input @ weight^T + bias` for `input` [..., in], `weight` [out, in] and `bias` [out]: [...,
/// out]. A vector as `weight` [in] gives [...]. All tensors have one dtype.
[[structured::composite("linear")]]
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}) {
  check_arguments(input, weight, bias);
  if (weight.dim() == 1) return structured::matmul(input, weight);
  DimVector sizes(input.sizes());
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < sizes.size(); ++d) {
    rows *= sizes[d];
  }
  sizes.back() = weight.size(0);
  const Tensor matrix = input.dim() == 2 ? input : structured::view(dense_rows(input), {rows, weight.size(1)});
  const Tensor columns = structured::transpose(weight, 0, 1);
  const Tensor product = has_bias(bias) ? structured::addmm(*bias, matrix, columns) : structured::mm(matrix, columns);
  return input.dim() == 2 ? product : structured::view(product, sizes);
}

/// Writes the linear transformation `input @ weight^T + bias` of `input` [..., in] with `weight` [out, in] and `bias`
/// [out] to `out`, which is resized to [..., out] and must have the dtype of the result.
[[structured::kernel("linear.out", "CompositeExplicitAutograd")]]
Tensor& linear_out(const Tensor& input, const Tensor& weight,
                   [[structured::schema_default("None")]] const std::optional<Tensor>& bias, Tensor& out) {
  check_arguments(input, weight, bias);
  if (input.dim() == 2 && weight.dim() == 2) {
    const Tensor columns = structured::transpose(weight, 0, 1);
    return has_bias(bias) ? structured::addmm_out(out, *bias, input, columns) : structured::mm_out(out, input, columns);
  }
  return store_result("linear", linear(input, weight, bias), out);
}

}  // namespace structured::kernels
