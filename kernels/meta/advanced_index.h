// Advanced indexing by index tensors and masks.
#pragma once

#include <structured/base/export.h>
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/memory/scratch.h>

#include <optional>

#include "meta/indexed_dims.h"

namespace structured::kernels {

/// Prepared advanced indexing of `self`. Each leading dimension has an index or none, which selects the whole
/// dimension; an index is Long or Int, and a Bool or Byte mask counts as the indices of its true elements, one for each
/// of its dimensions. Indices are broadcast to one shape, which replaces the indexed dimensions if they are adjacent
/// and comes first otherwise.
struct AdvancedIndex {
  Tensor places;                  ///< view of `self` in the shape of the result, with stride 0 in indexed dimensions
  ScratchVector<Tensor> indices;  ///< Long, with the rank of the result
  IndexedDims dims;
  bool is_distinct = false;  ///< whether no element of `self` is selected twice
};

/// Throws Error, with `name` as prefix, for too many indices, invalid dtypes, shapes that do not broadcast and masks
/// whose sizes differ from those of `self`. Does not check whether indices are in range.
STRUCTURED_API AdvancedIndex advanced_index(const char* name, const Tensor& self,
                                            ArrayRef<std::optional<Tensor>> indices);

/// Result of the meta function of `index` for its impl.
struct IndexPlan {
  IndexedDims indices;
};

}  // namespace structured::kernels
