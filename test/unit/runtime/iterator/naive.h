#pragma once
// Reference implementations of iteration, index by index, with addresses computed from sizes and strides.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/core/tensor.h"

namespace structured::naive {

using Index = std::vector<int64_t>;

/// Calls `visit` with every index of `shape` in row-major order.
inline void for_each_index(IntArrayRef shape, const std::function<void(const Index&)>& visit) {
  for (const int64_t size : shape) {
    if (size == 0) return;
  }
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// Element of `tensor`, broadcast to a shape of index.size() dimensions, at `index`.
template <class T>
T& element(const Tensor& tensor, const Index& index) {
  const std::size_t missing = index.size() - tensor.sizes().size();
  int64_t offset = 0;
  for (std::size_t d = 0; d < tensor.sizes().size(); ++d) {
    if (tensor.sizes()[d] != 1) offset += index[missing + d] * tensor.strides()[d];
  }
  return static_cast<T*>(tensor.data())[offset];
}

/// Tensor whose dimensions have the order `order` in memory (outermost first) with `gap` unused elements after each
/// innermost run, filled with 0, 1, 2, ... in row-major order of its own index.
template <class T>
Tensor arange(IntArrayRef sizes, IntArrayRef order = {}, int64_t gap = 0) {
  DimVector strides(sizes.size(), 1);
  int64_t next = 1;
  for (std::size_t i = sizes.size(); i > 0; --i) {
    const auto dim = order.empty() ? i - 1 : static_cast<std::size_t>(order[i - 1]);
    strides[dim] = next;
    next = next * sizes[dim] + (i == sizes.size() ? gap : 0);
  }
  const Tensor tensor = empty_strided(sizes, strides, TensorOptions(scalar_type_of<T>));
  int64_t value = 0;
  for_each_index(sizes, [&](const Index& index) { element<T>(tensor, index) = static_cast<T>(value++); });
  return tensor;
}

/// Expands `tensor` to `sizes` with strides of 0.
inline Tensor expand(const Tensor& tensor, IntArrayRef sizes) {
  const std::size_t missing = sizes.size() - tensor.sizes().size();
  DimVector strides(sizes.size(), 0);
  for (std::size_t d = missing; d < sizes.size(); ++d) {
    if (tensor.sizes()[d - missing] != 1) strides[d] = tensor.strides()[d - missing];
  }
  return as_strided(tensor, sizes, strides, tensor.storage_offset());
}

}  // namespace structured::naive
