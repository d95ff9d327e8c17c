#pragma once
// Operands with or without a batch dimension.
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>

#include <cstddef>

namespace structured::kernels {

/// Returns `tensor` [N, C, ...] with `spatial` dimensions after the channels; if the first is missing, a view with it.
inline Tensor as_batch(const Tensor& tensor, std::size_t spatial) {
  if (tensor.sizes().size() == spatial + 2) return tensor;
  DimVector sizes(tensor.sizes());
  DimVector strides(tensor.strides());
  sizes.insert(0, 1);
  strides.insert(0, 0);
  return as_strided(tensor, sizes, strides, tensor.storage_offset());
}

}  // namespace structured::kernels
