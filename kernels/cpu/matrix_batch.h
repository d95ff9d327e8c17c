// Batches of matrices in the layout of LAPACK.
#pragma once

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/number/scalar.h>
#include <structured/number/visit.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/expand.h>
#include <structured/ops/fill.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "meta/linear_algebra.h"

namespace structured::kernels {

/// Calls `body.operator()<T>()` with the type of the elements, one that LAPACK supports.
template <class Body>
void visit_lapack(const Tensor& tensor, const Body& body) {
  visit<kLapackTypes>("linalg", tensor.scalar_type(), body);
}

/// Size along `dim` for LAPACK. Throws Error if it does not fit 32 bits.
inline int extent(const Tensor& matrices, int64_t dim) {
  const int64_t size = matrices.size(dim);
  STRUCTURED_CHECK(size <= std::numeric_limits<int>::max(), "linalg: expected sizes that fit 32 bits, got ", size);
  return static_cast<int>(size);
}

/// Distance of columns with this number of rows.
inline int leading(int rows) { return std::max(1, rows); }

/// Number of items of a batch of these sizes.
inline int64_t count_of(IntArrayRef sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

/// Number of matrices of a batch.
inline int64_t matrix_count(const Tensor& matrices) { return count_of(batch_sizes(matrices)); }

/// Whether a batch of these sizes is stored by columns, matrix by matrix.
inline bool is_by_columns(const Tensor& matrices, IntArrayRef batch) {
  return batch_sizes(matrices) == batch && matrices.strides() == IntArrayRef(column_strides(matrices.sizes()));
}

/// Copy of a batch of matrices, broadcast to `batch` and stored by columns.
inline Tensor by_columns(const Tensor& matrices, IntArrayRef batch) {
  DimVector sizes(batch);
  sizes.push_back(matrices.size(-2));
  sizes.push_back(matrices.size(-1));
  const Tensor result = empty_strided(sizes, column_strides(sizes), matrices.options());
  copy_into(result, structured::expand(matrices, sizes));
  return result;
}
inline Tensor by_columns(const Tensor& matrices) { return by_columns(matrices, batch_sizes(matrices)); }

/// Matrix or vector number `i` of a dense batch with `size` elements each.
template <class T>
T* item(const Tensor& batch, int64_t i, int64_t size) {
  return batch.data_ptr<T>() + i * size;
}

/// Sets the elements below the diagonal to 0, or above it unless `below`, of a dense matrix.
template <class T>
void clear_triangle(bool below, int rows, int columns, T* a) {
  for (int64_t column = 0; column < columns; ++column) {
    T* const first = a + column * rows;
    const int64_t diagonal = std::min<int64_t>(column, rows);
    if (below) {
      std::fill(first + std::min<int64_t>(column + 1, rows), first + rows, T(0));
    } else {
      std::fill(first, first + diagonal, T(0));
    }
  }
}

inline void set_all(Tensor out, const Scalar& value) { structured::fill_(out, value); }

/// Sets matrices to the identity.
inline void set_identity(const Tensor& out) {
  set_all(out, 0);
  set_all(structured::diagonal(out, 0, -2, -1), 1);
}

}  // namespace structured::kernels
