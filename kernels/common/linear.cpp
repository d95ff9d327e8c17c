// The affine map of a neural network's layer, written in terms of other operators.
#include <structured/core/dim_vector.h>
#include <structured/core/error.h>
#include <structured/core/tensor.h>
#include <structured/ops/add.h>
#include <structured/ops/copy.h>
#include <structured/ops/empty.h>
#include <structured/ops/mm.h>
#include <structured/ops/transpose.h>
#include <structured/ops/view.h>

#include <optional>

namespace structured::kernels {
namespace {

Tensor dense(const Tensor& tensor) {
  if (tensor.is_contiguous()) {
    return tensor;
  }
  Tensor copy = structured::empty(tensor.sizes(), tensor.options());
  return structured::copy_(copy, tensor);
}

}  // namespace

/// `input` [..., in] times the transpose of `weight` [out, in], plus `bias` [out]: [..., out].
[[structured::composite("linear")]]
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias = {}) {
  STRUCTURED_CHECK(weight.dim() == 2, "linear: expected `weight` to be a matrix, got ", weight.dim(), " dimensions");
  STRUCTURED_CHECK(input.dim() >= 1 && input.size(-1) == weight.size(1),
                   "linear: expected the last dimension of "
                   "`input` to have ",
                   weight.size(1), " elements, as `weight` has columns, got sizes ", input.sizes());
  DimVector sizes(input.sizes());
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < sizes.size(); ++d) {
    rows *= sizes[d];
  }
  sizes.back() = weight.size(0);
  const Tensor matrix = input.dim() == 2 ? input : structured::view(dense(input), {rows, weight.size(1)});
  const Tensor product = structured::view(structured::mm(matrix, structured::transpose(weight, 0, 1)), sizes);
  return bias && bias->defined() ? structured::add(product, *bias) : product;
}

}  // namespace structured::kernels
