// Shapes and strides of batches of matrices.
#pragma once

#include <structured/core/dim_vector.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar_type.h>

namespace structured::kernels {

/// Dtypes for which LAPACK has routines.
inline constexpr ScalarTypeSet kLapackTypes = kFloatingTypes | kComplexTypes;

/// Strides of dense matrices that are stored by columns, as LAPACK expects them.
DimVector column_strides(IntArrayRef sizes);

/// Sizes of a batch of matrices without the last `count` dimensions.
IntArrayRef batch_sizes(const Tensor& matrices, size_t count = 2);

/// Throws Error, with `name` as prefix, unless the argument is a batch of matrices of a dtype that LAPACK supports, or,
/// if it has no elements, of one of `empty_types`.
void check_matrices(const char* name, const char* argument, const Tensor& matrices, ScalarTypeSet empty_types = {});
/// check_matrices for square matrices.
void check_square(const char* name, const char* argument, const Tensor& matrices, ScalarTypeSet empty_types = {});

/// Whether `b` is a batch of vectors, one for each matrix of `a`, and not of matrices.
bool is_batch_of_vectors(const Tensor& a, const Tensor& b);

/// Sizes of `matrices` with the batch dimensions broadcast with those of `other`.
DimVector broadcast_batch(const Tensor& matrices, const Tensor& other);

}  // namespace structured::kernels
