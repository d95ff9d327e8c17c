// Indexing by tensors of indices and masks: what is walked over.
#pragma once

#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>

#include <optional>
#include <vector>

#include "meta/indexed_dims.h"

namespace structured::kernels {

/// `self` as `indices` tell: its first dimensions have one index each, or none, which takes all of the dimension; a
/// Bool or Byte mask stands for the indices of its true elements, one for each dimension of the mask. Indices are
/// broadcast to one shape, which takes the place of the dimensions that have indices if those are next to each other,
/// and comes first otherwise.
struct AdvancedIndex {
  Tensor places;                ///< a view of `self` in the result's shape, with stride 0 where indices move through it
  std::vector<Tensor> indices;  ///< Long, of as many dimensions
  IndexedDims dims;
  bool is_distinct = false;  ///< no element of `self` is told twice
};

/// Throws Error, which starts with `name`, for too many indices, those of other dtypes, shapes that do not broadcast,
/// and masks of other sizes than `self`. Whether indices are in range is not looked at.
AdvancedIndex advanced_index(const char* name, const Tensor& self, ArrayRef<std::optional<Tensor>> indices);

/// What the impl of `index` needs of it.
struct IndexPlan {
  IndexedDims indices;
};

}  // namespace structured::kernels
