#pragma once
// Strides of results that keep the order of dimensions of an input.
#include <structured/core/array_ref.h>
#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>

namespace structured::kernels {

/// Returns strides of a dense tensor with the sizes of `self` and the same order of dimensions.
DimVector dense_strides(const Tensor& self);

/// Returns the strides for `MemoryFormat::Preserve`: those of `self` if it is dense, otherwise dense_strides.
DimVector preserved_strides(const Tensor& self);

}  // namespace structured::kernels
