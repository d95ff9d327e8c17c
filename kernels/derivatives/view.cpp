// Derivatives of views, and of operators that copy, move or join elements.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/cat.h>
#include <structured/ops/contiguous.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/diagonal_scatter.h>
#include <structured/ops/flip.h>
#include <structured/ops/narrow.h>
#include <structured/ops/numpy_T.h>
#include <structured/ops/permute.h>
#include <structured/ops/reshape.h>
#include <structured/ops/select.h>
#include <structured/ops/select_scatter.h>
#include <structured/ops/slice.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/stack.h>
#include <structured/ops/sum.h>
#include <structured/ops/t.h>
#include <structured/ops/transpose.h>
#include <structured/ops/tril.h>
#include <structured/ops/triu.h>
#include <structured/ops/unbind.h>
#include <structured/ops/view_as_complex.h>
#include <structured/ops/view_as_real.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "derivatives/formula.h"

namespace structured::derivatives {

/// Gradient of operators that keep the row-major order of the elements.
[[structured::backward("view")]] [[structured::backward("_unsafe_view")]] [[structured::backward(
    "reshape")]] [[structured::
                       backward("reshape_as", "self")]] [[structured::backward(
    "_reshape_alias")]] [[structured::backward("squeeze")]] [[structured::
                                                                  backward("squeeze.dim")]] [[structured::backward(
    "squeeze.dims")]] [[structured::backward("unsqueeze")]]
Tensor reshaped(const Tensor& grad, IntArrayRef self_sizes) {
  return structured::reshape(grad, self_sizes);
}

/// Gradient of operators whose node sums or converts it, if needed.
[[structured::backward("expand")]] [[structured::backward("clone")]] [[structured::backward(
    "alias")]] [[structured::backward("_to_copy")]]
Tensor unchanged(const Tensor& grad) {
  return grad;
}

[[structured::backward("copy_", "src")]]
Tensor copied(const Tensor& grad) {
  return grad;
}

/// Gradient of a previous value that an operator overwrites: none.
[[structured::backward("fill_.Scalar")]] [[structured::backward("zero_")]]
Tensor overwritten([[maybe_unused]] const Tensor& grad) {
  return Tensor();
}

[[structured::backward("transpose.int")]]
Tensor transposed(const Tensor& grad, int64_t dim0, int64_t dim1) {
  return structured::transpose(grad, dim0, dim1);
}

[[structured::backward("t")]]
Tensor t(const Tensor& grad) {
  return structured::t(grad);
}

[[structured::backward("numpy_T")]]
Tensor reversed(const Tensor& grad) {
  return structured::numpy_T(grad);
}

[[structured::backward("permute")]]
Tensor permuted(const Tensor& grad, IntArrayRef dims) {
  DimVector inverse(dims.size(), 0);
  const auto rank = static_cast<int64_t>(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    inverse[static_cast<std::size_t>(wrap_dim(dims[d], rank))] = static_cast<int64_t>(d);
  }
  return structured::permute(grad, inverse);
}

[[structured::backward("select.int")]]
Tensor select(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, int64_t index) {
  return structured::select_scatter(structured::zeros(self_sizes, grad.options()), grad, dim, index);
}

[[structured::backward("slice.Tensor")]]
Tensor slice(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, std::optional<int64_t> start,
             std::optional<int64_t> end, int64_t step) {
  return structured::slice_scatter(structured::zeros(self_sizes, grad.options()), grad, dim, start, end, step);
}

[[structured::backward("narrow")]]
Tensor narrow(const Tensor& grad, IntArrayRef self_sizes, int64_t dim, int64_t start, int64_t length) {
  const int64_t first =
      start < 0 ? start + self_sizes[static_cast<std::size_t>(wrap_dim(dim, static_cast<int64_t>(self_sizes.size())))]
                : start;
  return slice(grad, self_sizes, dim, first, first + length, 1);
}

[[structured::backward("diagonal")]]
Tensor diagonal(const Tensor& grad, IntArrayRef self_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal_scatter(structured::zeros(self_sizes, grad.options()), grad, offset, dim1, dim2);
}

[[structured::backward("select_scatter", "self")]]
Tensor select_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t dim, int64_t index) {
  return structured::select_scatter(grad, structured::zeros(src_sizes, grad.options()), dim, index);
}

[[structured::backward("select_scatter", "src")]]
Tensor select_scatter_src(const Tensor& grad, int64_t dim, int64_t index) {
  return structured::select(grad, dim, index);
}

[[structured::backward("slice_scatter", "self")]]
Tensor slice_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t dim, std::optional<int64_t> start,
                          std::optional<int64_t> end, int64_t step) {
  return structured::slice_scatter(grad, structured::zeros(src_sizes, grad.options()), dim, start, end, step);
}

[[structured::backward("slice_scatter", "src")]]
Tensor slice_scatter_src(const Tensor& grad, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                         int64_t step) {
  return structured::slice(grad, dim, start, end, step);
}

[[structured::backward("diagonal_scatter", "src")]]
Tensor diagonal_scatter_src(const Tensor& grad, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal(grad, offset, dim1, dim2);
}

[[structured::backward("diagonal_scatter", "self")]]
Tensor diagonal_scatter_self(const Tensor& grad, IntArrayRef src_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return structured::diagonal_scatter(grad, structured::zeros(src_sizes, grad.options()), offset, dim1, dim2);
}

[[structured::backward("view_as_real")]]
Tensor view_as_real(const Tensor& grad) {
  return structured::view_as_complex(structured::contiguous(grad));
}

[[structured::backward("view_as_complex")]]
Tensor view_as_complex(const Tensor& grad) {
  return structured::view_as_real(grad);
}

[[structured::backward("flip")]]
Tensor flip(const Tensor& grad, IntArrayRef dims) {
  return structured::flip(grad, dims);
}

[[structured::backward("tril")]]
Tensor tril(const Tensor& grad, int64_t diagonal) {
  return structured::tril(grad, diagonal);
}

[[structured::backward("triu")]]
Tensor triu(const Tensor& grad, int64_t diagonal) {
  return structured::triu(grad, diagonal);
}

[[structured::backward("repeat")]]
Tensor repeat(const Tensor& grad, IntArrayRef self_sizes, IntArrayRef repeats) {
  DimVector sizes;
  DimVector reduced;
  const std::size_t added = repeats.size() - self_sizes.size();
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    reduced.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(repeats[d]);
    if (d >= added) sizes.push_back(self_sizes[d - added]);
  }
  if (reduced.empty()) return grad;
  return structured::sum(structured::reshape(grad, sizes), reduced);
}

[[structured::backward("cat")]]
std::vector<Tensor> cat(const Tensor& grad, const std::vector<std::vector<int64_t>>& tensors_sizes, int64_t dim) {
  const auto axis = static_cast<std::size_t>(wrap_dim(dim, grad.dim()));
  std::vector<Tensor> gradients;
  int64_t start = 0;
  for (const std::vector<int64_t>& sizes : tensors_sizes) {
    // An empty vector takes no part, whatever the rank of the others.
    const int64_t length = sizes.size() == 1 && sizes[0] == 0 ? 0 : sizes[axis];
    gradients.push_back(length == 0 ? structured::zeros(sizes, grad.options())
                                    : structured::narrow(grad, dim, start, length));
    start += length;
  }
  return gradients;
}

[[structured::backward("stack")]]
std::vector<Tensor> stack(const Tensor& grad, int64_t dim) {
  return structured::unbind(grad, dim);
}

[[structured::backward("unbind.int")]]
Tensor unbind(TensorList grad, IntArrayRef self_sizes, int64_t dim) {
  std::vector<Tensor> parts;
  DimVector sizes(self_sizes);
  sizes.erase(static_cast<std::size_t>(wrap_dim(dim, static_cast<int64_t>(self_sizes.size()))));
  const TensorOptions options = defined_options(grad);
  for (const Tensor& part : grad) parts.push_back(part.defined() ? part : structured::zeros(sizes, options));
  return structured::stack(parts, dim);
}

/// Gradient of parts of a tensor along `dim`; `size_of` returns the size of each.
template <class SizeOf>
Tensor joined(TensorList grad, IntArrayRef self_sizes, int64_t dim, const SizeOf& size_of) {
  const auto axis = static_cast<std::size_t>(wrap_dim(dim, static_cast<int64_t>(self_sizes.size())));
  const TensorOptions options = defined_options(grad);
  std::vector<Tensor> parts;
  DimVector sizes(self_sizes);
  for (std::size_t i = 0; i < grad.size(); ++i) {
    sizes[axis] = size_of(i, self_sizes[axis]);
    parts.push_back(grad[i].defined() ? grad[i] : structured::zeros(sizes, options));
  }
  return structured::cat(parts, dim);
}

[[structured::backward("split.Tensor")]] [[structured::backward("unsafe_split.Tensor")]]
Tensor split(TensorList grad, IntArrayRef self_sizes, int64_t split_size, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t size) {
    return std::min(split_size, size - static_cast<int64_t>(i) * split_size);
  });
}

[[structured::backward("chunk")]] [[structured::backward("unsafe_chunk")]]
Tensor chunk(TensorList grad, IntArrayRef self_sizes, int64_t chunks, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t size) {
    const int64_t length = (size + chunks - 1) / chunks;
    return std::min(length, size - static_cast<int64_t>(i) * length);
  });
}

[[structured::backward("split_with_sizes")]] [[structured::backward("unsafe_split_with_sizes")]]
Tensor split_with_sizes(TensorList grad, IntArrayRef self_sizes, IntArrayRef split_sizes, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t) { return split_sizes[i]; });
}

[[structured::backward("split.sizes")]]
Tensor split_sizes(TensorList grad, IntArrayRef self_sizes, IntArrayRef split_size, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t) { return split_size[i]; });
}

}  // namespace structured::derivatives
