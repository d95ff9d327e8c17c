#pragma once
// A tensor seen from one of its dimensions.
#include <structured/core/tensor.h>

#include <cstdint>

namespace structured::kernels {

/// Sizes of a contiguous tensor [outer, size, inner].
struct DimExtents {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
};

/// Extents of `tensor` before, along and after `dim`, which is not negative. A tensor of rank 0 is [1, 1, 1].
inline DimExtents dim_extents(const Tensor& tensor, int64_t dim) {
  DimExtents result;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    (d < dim ? result.outer : d == dim ? result.size : result.inner) *= tensor.size(d);
  }
  return result;
}

}  // namespace structured::kernels
