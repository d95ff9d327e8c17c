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

/// Returns the strides with which sizes `size` address the elements of `self` in order, or nothing if there are none.
/// Both have the same number of elements.
std::optional<DimVector> view_strides(const Tensor& self, IntArrayRef size);

}  // namespace structured::kernels
