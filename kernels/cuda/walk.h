#pragma once
// Walks over tensors.
#include <structured/core/tensor.h>
#include <structured/cuda/strided_walk.h>
#include <structured/iterator/tensor_iterator.h>

#include <cstdint>

namespace structured::kernels {

/// Returns the byte stride of dimension `d`.
inline int64_t byte_stride(const Tensor& tensor, int64_t d) {
  return tensor.strides()[static_cast<std::size_t>(d)] * static_cast<int64_t>(tensor.element_size());
}

/// Returns the walk over tensors of equal sizes, those of the first.
template <class... Tensors>
cuda::StridedWalk<sizeof...(Tensors)> walk_over(const Tensors&... tensors) {
  cuda::StridedWalk<sizeof...(Tensors)> walk;
  const Tensor* const all[] = {&tensors...};
  for (int64_t d = all[0]->dim() - 1; d >= 0; --d) {
    walk.add_dim(all[0]->size(d), {byte_stride(tensors, d)...});
  }
  return walk;
}

}  // namespace structured::kernels
