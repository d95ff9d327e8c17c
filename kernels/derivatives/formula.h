#pragma once
// Parts of derivatives.
#include <structured/core/array_ref.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>

#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace structured::derivatives {

using TwoTensors = std::tuple<Tensor, Tensor>;
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

/// Complex conjugate; real tensors are returned as they are.
Tensor conjugate(const Tensor& a);
Scalar conjugate(const Scalar& a);

/// Real and imaginary parts of complex numbers, as views.
Tensor real_part(const Tensor& a);
Tensor imaginary_part(const Tensor& a);

/// Conjugate transpose of matrices.
Tensor adjoint(const Tensor& matrices);

/// `a` in the dtype of `like`.
Tensor converted(const Tensor& a, const Tensor& like);

/// `a` in Float if it has 16-bit numbers, whose squares may be out of range; `a` itself otherwise.
Tensor widened(const Tensor& a);

/// `a * a`.
Tensor square(const Tensor& a);

/// `a` times a number; `a` itself for 1.
Tensor scaled(const Tensor& a, const Scalar& factor);

/// Gradient of a reduction over `dims` in the shape that it was reduced from: `sizes`. No `dims` means all.
Tensor expand_reduced(const Tensor& grad, IntArrayRef sizes, IntArrayRef dims, bool keepdim);

/// Product of the sizes of the reduced dimensions. No `dims` means all.
int64_t reduced_count(IntArrayRef sizes, IntArrayRef dims);

/// Sum of `grad` over the dimensions in which a tensor of shape `sizes` was broadcast.
Tensor summed_to(const Tensor& grad, IntArrayRef sizes);

/// Gradients with respect to `inputs` of what `function` computes from them, whose calls are recorded. For derivatives
/// that are simplest to write as operators; `gradients` are those of the results, or undefined.
std::vector<Tensor> gradients_through(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& function,
                                      const std::vector<Tensor>& inputs, const std::vector<Tensor>& gradients);

/// Options of the first gradient that is defined.
TensorOptions defined_options(TensorList gradients);

}  // namespace structured::derivatives
