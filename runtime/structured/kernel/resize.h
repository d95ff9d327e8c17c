#pragma once
// Resizing tensors that a caller gave as out=.
#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/core/tensor.h"

namespace structured {

/// Gives `output` these sizes, with contiguous strides, if it has others. Elements are not kept in order; the storage
/// grows if it is too small, and never shrinks. Warns if the tensor had elements, for then the caller probably expected
/// it to fit. Returns whether it was resized. Does not bump the version.
STRUCTURED_API bool resize_output(const Tensor& output, IntArrayRef sizes);

/// The decision and the warning of `resize_output`, without the resizing.
STRUCTURED_API bool should_resize_output(const Tensor& output, IntArrayRef sizes);

/// Gives `tensor` these sizes and strides at its old offset. The storage grows if needed, and keeps its content.
/// Throws Error if it cannot grow.
STRUCTURED_API void resize_strided(const Tensor& tensor, IntArrayRef sizes, IntArrayRef strides);

}  // namespace structured
