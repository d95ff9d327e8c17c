#pragma once
// Sizes and strides of views that keep the order of elements.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {

/// Replaces the only -1 in `size` so that the number of elements is `numel`. Throws Error, with `op` as prefix, if that
/// is impossible.
DimVector infer_size(const char* op, IntArrayRef size, int64_t numel);

/// Returns the strides of a view of `self` with sizes `size`, which have as many elements as `self`, or no value if the
/// elements must be copied.
std::optional<DimVector> view_strides(const Tensor& self, IntArrayRef size);

}  // namespace structured::kernels
