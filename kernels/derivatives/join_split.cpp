// Derivatives of operators that join tensors, and of views that are parts of one.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/wrap_dim.h>
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/narrow.h>
#include <structured/ops/reshape.h>
#include <structured/ops/slice_scatter.h>
#include <structured/ops/stack.h>
#include <structured/ops/unbind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "derivatives/formula.h"

namespace structured::derivatives {

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

[[structured::backward("unbind_copy.int")]] [[structured::backward("unbind.int")]]
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

[[structured::backward("split_copy.Tensor")]] [[structured::backward("split.Tensor")]] [[structured::backward(
    "unsafe_split.Tensor")]]
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

[[structured::backward("split_with_sizes_copy")]] [[structured::backward("split_with_sizes")]] [[structured::backward(
    "unsafe_split_with_sizes")]]
Tensor split_with_sizes(TensorList grad, IntArrayRef self_sizes, IntArrayRef split_sizes, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t) { return split_sizes[i]; });
}

[[structured::backward("split.sizes")]]
Tensor split_sizes(TensorList grad, IntArrayRef self_sizes, IntArrayRef split_size, int64_t dim) {
  return joined(grad, self_sizes, dim, [&](std::size_t i, int64_t) { return split_size[i]; });
}

/// Size of part `i` of `sections` parts that differ by at most one element.
auto section_of(int64_t sections) {
  return [sections](std::size_t i, int64_t size) {
    return size / sections + (static_cast<int64_t>(i) < size % sections ? 1 : 0);
  };
}

/// Size of part `i` between positions, which may be negative or out of range.
auto part_between(IntArrayRef indices) {
  return [indices](std::size_t i, int64_t size) {
    const auto position = [size](int64_t value) {
      return std::clamp<int64_t>(value < 0 ? value + size : value, 0, size);
    };
    const int64_t start = i == 0 ? 0 : position(indices[i - 1]);
    const int64_t end = i == indices.size() ? size : position(indices[i]);
    return std::max<int64_t>(end - start, 0);
  };
}

/// Gradient of parts, which may be unordered: the sum of those that overlap.
Tensor joined_between(TensorList grad, IntArrayRef self_sizes, int64_t dim, IntArrayRef indices) {
  if (std::is_sorted(indices.begin(), indices.end()) && (indices.empty() || indices[0] >= 0)) {
    return joined(grad, self_sizes, dim, part_between(indices));
  }
  const TensorOptions options = defined_options(grad);
  const int64_t size = self_sizes[static_cast<std::size_t>(wrap_dim(dim, static_cast<int64_t>(self_sizes.size())))];
  const auto size_of = part_between(indices);
  Tensor result = structured::zeros(self_sizes, options);
  for (std::size_t i = 0; i < grad.size(); ++i) {
    const int64_t length = size_of(i, size);
    if (!grad[i].defined() || length == 0) continue;
    const int64_t before = i == 0 ? 0 : indices[i - 1];
    const int64_t start = std::clamp<int64_t>(before < 0 ? before + size : before, 0, size);
    const Tensor whole = structured::slice_scatter(structured::zeros(self_sizes, grad[i].options()), grad[i], dim,
                                                   start, start + length);
    result = structured::add(result, whole);
  }
  return result;
}

[[structured::backward("tensor_split.sections")]]
Tensor tensor_split(TensorList grad, IntArrayRef self_sizes, int64_t sections, int64_t dim) {
  return joined(grad, self_sizes, dim, section_of(sections));
}
[[structured::backward("tensor_split.indices")]]
Tensor tensor_split_indices(TensorList grad, IntArrayRef self_sizes, IntArrayRef indices, int64_t dim) {
  return joined_between(grad, self_sizes, dim, indices);
}
[[structured::backward("hsplit.int")]]
Tensor hsplit(TensorList grad, IntArrayRef self_sizes, int64_t sections) {
  return joined(grad, self_sizes, self_sizes.size() == 1 ? 0 : 1, section_of(sections));
}
[[structured::backward("hsplit.array")]]
Tensor hsplit_array(TensorList grad, IntArrayRef self_sizes, IntArrayRef indices) {
  return joined_between(grad, self_sizes, self_sizes.size() == 1 ? 0 : 1, indices);
}
[[structured::backward("vsplit.int")]]
Tensor vsplit(TensorList grad, IntArrayRef self_sizes, int64_t sections) {
  return joined(grad, self_sizes, 0, section_of(sections));
}
[[structured::backward("vsplit.array")]]
Tensor vsplit_array(TensorList grad, IntArrayRef self_sizes, IntArrayRef indices) {
  return joined_between(grad, self_sizes, 0, indices);
}
[[structured::backward("dsplit.int")]]
Tensor dsplit(TensorList grad, IntArrayRef self_sizes, int64_t sections) {
  return joined(grad, self_sizes, 2, section_of(sections));
}
[[structured::backward("dsplit.array")]]
Tensor dsplit_array(TensorList grad, IntArrayRef self_sizes, IntArrayRef indices) {
  return joined_between(grad, self_sizes, 2, indices);
}

[[structured::backward("block_diag")]]
std::vector<Tensor> block_diag(const Tensor& grad, const std::vector<std::vector<int64_t>>& tensors_sizes) {
  std::vector<Tensor> gradients;
  int64_t row = 0;
  int64_t column = 0;
  for (const std::vector<int64_t>& sizes : tensors_sizes) {
    const int64_t rows = sizes.size() < 2 ? 1 : sizes[0];
    const int64_t columns = sizes.empty() ? 1 : sizes.back();
    const Tensor block = structured::narrow(structured::narrow(grad, 0, row, rows), 1, column, columns);
    gradients.push_back(structured::reshape(block, sizes));
    row += rows;
    column += columns;
  }
  return gradients;
}

}  // namespace structured::derivatives
