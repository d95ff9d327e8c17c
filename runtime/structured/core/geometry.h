#pragma once
// Properties computed from the sizes and strides of a tensor. Only sources of core include this.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor_impl.h"

namespace structured::detail {

/// Throws Error for negative sizes, more than kMaxDims dimensions, and if the number of elements overflows int64_t.
STRUCTURED_COLD void check_sizes(IntArrayRef sizes);
/// Throws Error for invalid sizes or strides, and for lists of different length.
STRUCTURED_COLD void check_shape(IntArrayRef sizes, IntArrayRef strides);
/// Throws the Error for a number of bytes that overflows int64_t.
[[noreturn]] STRUCTURED_COLD void fail_nbytes(IntArrayRef sizes, IntArrayRef strides, int64_t offset);

/// Geometry flags of tensors that are not contiguous or may have a channels-last format (4 or 5 dimensions).
uint32_t unusual_geometry_flags(bool is_contiguous, IntArrayRef sizes, IntArrayRef strides);

/// Result of one pass over sizes and strides.
struct Geometry {
  int64_t numel = 1;         ///< sizes of 0 count as 1, as in contiguous strides
  int64_t last_element = 0;  ///< its distance from the first element
  bool is_empty = false;
  bool is_contiguous = true;
  bool is_bad_shape = false;  ///< a negative size or stride, or numel overflows; other members are undefined then
  bool is_bad_reach = false;
};

STRUCTURED_ALWAYS_INLINE Geometry measure(IntArrayRef sizes, IntArrayRef strides) {
  Geometry found;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const int64_t size = sizes[i];
    const int64_t stride = strides[i];
    found.is_bad_shape = (size | stride) < 0;
    if (found.is_bad_shape) [[unlikely]]
      break;
    if (size <= 1) {
      found.is_empty |= size == 0;
      continue;
    }
    found.is_contiguous &= stride == found.numel;
    found.is_bad_shape = __builtin_mul_overflow(found.numel, size, &found.numel);
    if (found.is_bad_shape) [[unlikely]]
      break;
    int64_t distance;
    if (__builtin_mul_overflow(size - 1, stride, &distance) ||
        __builtin_add_overflow(found.last_element, distance, &found.last_element)) [[unlikely]] {
      found.is_bad_reach = true;
    }
  }
  return found;
}

/// Returns the bits of TensorFlags::kGeometry.
STRUCTURED_ALWAYS_INLINE uint32_t geometry_flags(const Geometry& found, IntArrayRef sizes, IntArrayRef strides) {
  const bool is_contiguous = found.is_contiguous || found.is_empty;
  if (is_contiguous && sizes.size() != 4 && sizes.size() != 5) {
    return TensorFlags::kContiguous | TensorFlags::kDense;
  }
  return unusual_geometry_flags(is_contiguous, sizes, strides);
}

/// Checks sizes and strides, and computes the bytes that they span from the storage's start. Throws Error.
STRUCTURED_ALWAYS_INLINE Geometry measure_reach(IntArrayRef sizes, IntArrayRef strides, int item_size_log2,
                                                int64_t offset, int64_t& nbytes) {
  if (sizes.size() > kMaxDims || sizes.size() != strides.size()) [[unlikely]]
    check_shape(sizes, strides);
  Geometry found = measure(sizes, strides);
  if (found.is_bad_shape) [[unlikely]]
    check_shape(sizes, strides);
  nbytes = 0;
  if (found.is_empty) {
    found.numel = 0;
    return found;
  }
  int64_t end = 0;
  // Without short-circuit evaluation, which would compile to branches.
  const int overflow =
      static_cast<int>(found.is_bad_reach) | static_cast<int>(__builtin_add_overflow(found.last_element, 1, &end)) |
      static_cast<int>(__builtin_add_overflow(end, offset, &end)) | static_cast<int>(end > INT64_MAX >> item_size_log2);
  if (overflow != 0) [[unlikely]]
    fail_nbytes(sizes, strides, offset);
  nbytes = end << item_size_log2;
  return found;
}

}  // namespace structured::detail
