#pragma once
// The order of dimensions that results take over from their inputs.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

namespace structured::kernels {

/// Strides of a dense tensor of the sizes of `self` whose dimensions are ordered as those of `self` are.
DimVector dense_strides(const Tensor& self);

/// The strides of `self` if it is dense, or else dense_strides: what `MemoryFormat::Preserve` means.
DimVector preserved_strides(const Tensor& self);

}  // namespace structured::kernels
