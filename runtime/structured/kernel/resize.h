#pragma once
// Resizing of out= tensors.
#include <cstddef>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"

namespace structured {

/// Resizes `output` to these sizes with contiguous strides, if its sizes differ. Elements do not keep their index; the
/// storage grows if necessary and never shrinks. Warns if the tensor had elements, since the caller probably expected
/// it to fit. Returns whether it was resized. Does not bump the version.
STRUCTURED_API bool resize_output(const Tensor& output, IntArrayRef sizes);

/// The test and the warning of `resize_output` without the resizing.
STRUCTURED_API bool should_resize_output(const Tensor& output, IntArrayRef sizes);

namespace detail {
/// should_resize_output for output `index` of the running operator.
STRUCTURED_API bool should_resize_output(const Tensor& output, IntArrayRef sizes, std::size_t index);
}  // namespace detail

/// Sets sizes and strides of `tensor` and keeps its offset. The storage grows if necessary and keeps its content.
/// Throws Error if it cannot grow.
STRUCTURED_API void resize_strided(const Tensor& tensor, IntArrayRef sizes, IntArrayRef strides);

}  // namespace structured
