#pragma once
// Reduced dimensions, and the walk over them.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/dim_vector.h"
#include "structured/core/tensor.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured {

/// Set of dimensions: bit d stands for dimension d.
using DimMask = uint64_t;

namespace detail {

STRUCTURED_API DimMask reduced_many_dims(const char* name, OptionalIntArrayRef dims, int64_t rank);

}  // namespace detail

/// Set of the dimensions in `dims` for a tensor of this rank. Negative dimensions count from the end; none or an empty
/// list means all. Throws Error, which starts with `name`, for a dimension out of range or a repeated one.
inline DimMask reduced_dims(const char* name, OptionalIntArrayRef dims, int64_t rank) {
  if (dims.has_value() && dims->size() == 1) {
    const int64_t dim = (*dims)[0];
    if (dim >= 0 && dim < rank) return DimMask{1} << dim;
  }
  return detail::reduced_many_dims(name, dims, rank);
}

/// `sizes` without the dimensions in `mask`, or with size 1 there.
STRUCTURED_API DimVector reduced_sizes(IntArrayRef sizes, DimMask mask, bool keepdim);

namespace detail {

/// Iteration over the results of a reduction. Operands are `outs`, then `in`, whose element is the first one that
/// contributes to the result. `outs` have the sizes of reduced_sizes, with or without keepdim. All are borrowed.
STRUCTURED_API TensorIterator results_iterator(ArrayRef<const Tensor*> outs, const Tensor& in, DimMask mask);

/// Reduced dimensions of a tensor, smallest stride first, coalesced. There is at least one.
class STRUCTURED_API ReducedWalk {
 public:
  ReducedWalk(const Tensor& in, DimMask mask);

  /// Number of elements that each result combines.
  int64_t count() const { return count_; }
  /// Step within a row, in bytes.
  int64_t stride() const { return strides_[0]; }

  /// Calls `row(offset, size)` for the rows that cover elements number [begin, end): `size` elements from byte `offset`
  /// on, stride() bytes apart.
  template <class Row>
  void for_each_row(int64_t begin, int64_t end, Row&& row) const {
    if (sizes_.size() == 1) {
      row(begin * strides_[0], end - begin);
      return;
    }
    DimVector index;
    int64_t offset = 0;
    int64_t rest = begin;
    for (std::size_t d = 0; d < sizes_.size(); ++d) {
      index.push_back(rest % sizes_[d]);
      rest /= sizes_[d];
      offset += index[d] * strides_[d];
    }
    while (begin < end) {
      const int64_t size = std::min(sizes_[0] - index[0], end - begin);
      row(offset, size);
      begin += size;
      index[0] += size;
      offset += size * strides_[0];
      for (std::size_t d = 0; d + 1 < sizes_.size() && index[d] == sizes_[d]; ++d) {
        offset += strides_[d + 1] - index[d] * strides_[d];
        index[d] = 0;
        ++index[d + 1];
      }
    }
  }

 private:
  DimVector sizes_;
  DimVector strides_;
  int64_t count_ = 1;
};

}  // namespace detail
}  // namespace structured
