#pragma once
// Parts of derivatives.
#include <structured/core/array_ref.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>

#include <cstdint>
#include <tuple>

namespace structured::derivatives {

using TwoTensors = std::tuple<Tensor, Tensor>;

/// Complex conjugate; real tensors are returned as they are.
Tensor conjugate(const Tensor& a);
Scalar conjugate(const Scalar& a);

/// `a` times a number; `a` itself for 1.
Tensor scaled(const Tensor& a, const Scalar& factor);

/// Gradient of a reduction over `dims` in the shape that it was reduced from: `sizes`. No `dims` means all.
Tensor expand_reduced(const Tensor& grad, IntArrayRef sizes, IntArrayRef dims, bool keepdim);

/// Product of the sizes of the reduced dimensions. No `dims` means all.
std::int64_t reduced_count(IntArrayRef sizes, IntArrayRef dims);

/// Sum of `grad` over the dimensions in which a tensor of shape `sizes` was broadcast.
Tensor summed_to(const Tensor& grad, IntArrayRef sizes);

/// Options of the first gradient that is defined.
TensorOptions defined_options(TensorList gradients);

}  // namespace structured::derivatives
