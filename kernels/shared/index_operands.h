#pragma once
// Operands of indexing, gather and scatter in the forms that loops over one dimension take, and checks of operators
// that have no meta function.
#include <structured/base/error.h>
#include <structured/core/dim_vector.h>
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/iterator/copy.h>
#include <structured/kernel/overlap.h>
#include <structured/number/scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "shared/dense.h"

namespace structured::kernels {

/// Returns `tensor`, unsqueezed to rank 1 if it has rank 0.
inline Tensor with_dimension(const Tensor& tensor) {
  return tensor.dim() == 0 ? as_strided(tensor, {1}, {1}, tensor.storage_offset()) : tensor;
}

/// Returns `index` [n] or [] as Long, expanded to `sizes`, which has n elements along `dim`.
inline Tensor expand_index(const Tensor& index, IntArrayRef sizes, int64_t dim) {
  Tensor numbers = index;
  if (index.scalar_type() != kLong) {
    numbers = empty(index.sizes(), index.options().dtype(kLong));
    copy_into(numbers, index);
  }
  DimVector strides(sizes.size(), 0);
  strides[static_cast<std::size_t>(dim)] = index.dim() == 0 ? 1 : numbers.stride(0);
  return as_strided(numbers, sizes, strides, numbers.storage_offset());
}

/// Returns the elements as one row, copied if necessary.
inline Tensor as_row(const Tensor& tensor) {
  const Tensor elements = dense(tensor, tensor.scalar_type());
  return as_strided(elements, {tensor.numel()}, {1}, elements.storage_offset());
}

inline void check_index_put(const Tensor& self, ArrayRef<std::optional<Tensor>> indices, const Tensor& values) {
  STRUCTURED_CHECK(self.scalar_type() == values.scalar_type(), "index_put_: expected `values` of dtype ",
                   self.scalar_type(), ", got ", values.scalar_type());
  assert_no_internal_overlap(self);
  assert_no_overlap(self, values);
  for (const std::optional<Tensor>& index : indices) {
    if (index && index->defined()) assert_no_overlap(self, *index);
  }
}

inline void check_index_fill(const Tensor& self, const Tensor& index, const Tensor& value) {
  STRUCTURED_CHECK(index.dim() <= 1 && index.scalar_type() == kLong,
                   "index_fill_: expected `index` of dtype Long with 1 dimension, got ", index.scalar_type(),
                   " and sizes ", index.sizes());
  STRUCTURED_CHECK(value.dim() == 0, "index_fill_: expected `value` to have no dimensions, got sizes ", value.sizes());
  STRUCTURED_CHECK(self.is_complex() || !value.is_complex(),
                   "index_fill_: expected a real `value` for a real `self`, got ", value.scalar_type());
  assert_no_internal_overlap(self);
  assert_no_overlap(self, value);
  assert_no_overlap(self, index);
}

inline void check_put(const Tensor& self, const Tensor& index, const Tensor& source) {
  STRUCTURED_CHECK(index.scalar_type() == kLong, "put_: expected `index` of dtype Long, got ", index.scalar_type());
  STRUCTURED_CHECK(self.scalar_type() == source.scalar_type(), "put_: expected `source` of dtype ", self.scalar_type(),
                   ", got ", source.scalar_type());
  STRUCTURED_CHECK(index.numel() == source.numel(), "put_: expected as many elements in `source` as in `index`, ",
                   index.numel(), ", got ", source.numel());
  STRUCTURED_CHECK(self.numel() != 0 || index.numel() == 0, "put_: expected an empty `index` for an empty `self`");
  assert_no_internal_overlap(self);
  assert_no_overlap(self, index);
  assert_no_overlap(self, source);
}

}  // namespace structured::kernels
