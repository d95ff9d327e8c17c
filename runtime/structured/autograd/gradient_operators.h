#pragma once
// The operators that gradients are combined with. They are those of the operator library, which the runtime does not
// link: the first use looks for them in the loaded libraries.
#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"

namespace structured::autograd {

/// Each calls an operator through the dispatcher, and throws Error if no loaded library has the operator.
Tensor add(const Tensor& a, const Tensor& b);
void add_in_place(Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor clone(const Tensor& a);
Tensor to_dtype(const Tensor& a, ScalarType dtype);
/// Real part of a complex tensor.
Tensor real(const Tensor& a);
Tensor view(const Tensor& a, IntArrayRef sizes);
Tensor sum(const Tensor& a, IntArrayRef dims);

Tensor as_strided(const Tensor& a, IntArrayRef sizes, IntArrayRef strides, int64_t offset);
/// Copy of `a` with `source` in the place that as_strided() selects.
Tensor as_strided_scatter(const Tensor& a, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                          int64_t offset);
void copy_in_place(Tensor& destination, const Tensor& source);

/// Sum of two gradients. Writes to `a` if nothing else refers to it and no graph is created.
STRUCTURED_API Tensor add_gradients(Tensor a, const Tensor& b);

/// Whether an element is NaN.
bool has_nan(const Tensor& a);

/// Sums `gradient` over the dimensions in which a tensor of shape `sizes` was broadcast to its shape.
STRUCTURED_API Tensor sum_to_size(const Tensor& gradient, IntArrayRef sizes);

}  // namespace structured::autograd
