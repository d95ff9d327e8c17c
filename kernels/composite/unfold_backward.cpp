// Gradient of unfold.
#include <structured/core/tensor.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/arange.h>
#include <structured/ops/flatten.h>
#include <structured/ops/index_add.h>
#include <structured/ops/movedim.h>
#include <structured/ops/reshape.h>
#include <structured/ops/unfold.h>
#include <structured/ops/zeros.h>

#include <cstddef>
#include <cstdint>

namespace structured::kernels {

/// Gradient of `unfold` for an input of sizes `input_sizes`: the sum of the elements of `grad_in` [..., windows, ...,
/// size] in the windows of `size` elements along `dim`, which begin every `step` elements.
[[structured::composite("unfold_backward"), structured::variants("unfold_backward.out")]]
Tensor unfold_backward(const Tensor& grad_in, [[structured::symint]] IntArrayRef input_sizes, int64_t dim, int64_t size,
                       int64_t step) {
  if (input_sizes.empty()) return structured::reshape(grad_in, input_sizes);
  dim = wrap_dim(dim, static_cast<int64_t>(input_sizes.size()));
  const int64_t extent = input_sizes[static_cast<std::size_t>(dim)];
  const Tensor numbers = structured::arange(extent, grad_in.options().dtype(kLong));
  const Tensor positions = structured::reshape(structured::unfold(numbers, 0, size, step), -1);
  // [..., windows, ..., size] becomes [..., windows * size, ...].
  const Tensor together = structured::flatten(structured::movedim(grad_in, -1, dim + 1), dim, dim + 1);
  return structured::index_add(structured::zeros(input_sizes, grad_in.options()), dim, positions, together);
}

}  // namespace structured::kernels
