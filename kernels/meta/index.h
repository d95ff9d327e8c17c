// Results of the meta functions of indexing, which are passed to the impls, and the shape that indices see.
#pragma once

#include <structured/core/tensor.h>

#include <cstddef>
#include <cstdint>

namespace structured::kernels {

/// `dim` after wrapping of negative values.
struct IndexedDim {
  int64_t dim;
};

/// Number of dimensions that can be indexed, and size along one: 0-dimensional tensors count as vectors of one element.
inline std::size_t rank_of(const Tensor& tensor) { return tensor.dim() == 0 ? 1 : tensor.sizes().size(); }
inline int64_t size_at(const Tensor& tensor, std::size_t d) { return tensor.dim() == 0 ? 1 : tensor.sizes()[d]; }

}  // namespace structured::kernels
