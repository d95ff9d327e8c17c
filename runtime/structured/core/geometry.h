#pragma once
// Properties computed from the sizes and strides of a tensor. Only sources of core include this.
#include <cstddef>
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/core/tensor_impl.h"

namespace structured::detail {

/// Throws Error where something is wrong with the sizes.
STRUCTURED_COLD void check_sizes(IntArrayRef sizes);
/// Throws Error for invalid sizes or strides, and for lists of different length.
STRUCTURED_COLD void check_shape(IntArrayRef sizes, IntArrayRef strides);
/// For elements that end beyond what a number of bytes can say.
[[noreturn]] STRUCTURED_COLD void fail_nbytes(IntArrayRef sizes, IntArrayRef strides, std::int64_t offset);

/// For tensors that are not contiguous, or perhaps in another format, too.
std::uint32_t unusual_geometry_flags(bool is_contiguous, IntArrayRef sizes, IntArrayRef strides);

/// Found in one pass over sizes and strides.
struct Geometry {
  std::int64_t numel = 1;         ///< where a size of 0 counts as 1: strides are products of these
  std::int64_t last_element = 0;  ///< how far it is from the first
  bool is_empty = false;
  bool is_contiguous = true;
  bool is_bad_shape = false;  ///< negative, or more elements than can be counted; nothing else is known then
  bool is_bad_reach = false;
};

STRUCTURED_ALWAYS_INLINE Geometry measure(IntArrayRef sizes, IntArrayRef strides) {
  Geometry found;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t size = sizes[i];
    const std::int64_t stride = strides[i];
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
    std::int64_t distance;
    if (__builtin_mul_overflow(size - 1, stride, &distance) ||
        __builtin_add_overflow(found.last_element, distance, &found.last_element)) [[unlikely]] {
      found.is_bad_reach = true;
    }
  }
  return found;
}

/// The flags of TensorFlags::kGeometry.
STRUCTURED_ALWAYS_INLINE std::uint32_t geometry_flags(const Geometry& found, IntArrayRef sizes, IntArrayRef strides) {
  const bool is_contiguous = found.is_contiguous || found.is_empty;
  if (is_contiguous && sizes.size() != 4 && sizes.size() != 5) {
    return TensorFlags::kContiguous | TensorFlags::kDense;
  }
  return unusual_geometry_flags(is_contiguous, sizes, strides);
}

/// Checks sizes and strides, and finds how many bytes they reach from the storage's start. Throws Error.
STRUCTURED_ALWAYS_INLINE Geometry measure_reach(IntArrayRef sizes, IntArrayRef strides, int item_size_log2,
                                                std::int64_t offset, std::int64_t& nbytes) {
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
  std::int64_t end = 0;
  // Without short cuts, which would be branches.
  const int overflow =
      static_cast<int>(found.is_bad_reach) | static_cast<int>(__builtin_add_overflow(found.last_element, 1, &end)) |
      static_cast<int>(__builtin_add_overflow(end, offset, &end)) | static_cast<int>(end > INT64_MAX >> item_size_log2);
  if (overflow != 0) [[unlikely]]
    fail_nbytes(sizes, strides, offset);
  nbytes = end << item_size_log2;
  return found;
}

}  // namespace structured::detail
