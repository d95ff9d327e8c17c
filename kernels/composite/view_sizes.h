#pragma once
// The arithmetic of views that keep the order of elements.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

#include <cstdint>
#include <optional>

namespace structured::kernels {

/// `size` with its one -1 replaced by what makes the number of elements `numel`. Throws Error, which starts with `op`,
/// where no size does.
DimVector infer_size(const char* op, IntArrayRef size, int64_t numel);

/// Strides under which `size`, which has as many elements, addresses the elements of `self` in order, if there are any.
std::optional<DimVector> view_strides(const Tensor& self, IntArrayRef size);

}  // namespace structured::kernels
