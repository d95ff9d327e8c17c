#include "structured/core/geometry.h"

#include "structured/base/error.h"
#include "structured/core/memory_format.h"

namespace structured::detail {

uint32_t unusual_geometry_flags(bool is_contiguous, IntArrayRef sizes, IntArrayRef strides) {
  uint32_t flags = is_contiguous ? TensorFlags::kContiguous | TensorFlags::kDense : 0;
  switch (sizes.size()) {
    case 0:
    case 1:
      return flags;
    case 2:
      // A matrix that is not contiguous is dense only if it is column-major.
      return flags == 0 && sizes[0] != 1 && strides[0] == 1 && strides[1] == sizes[0] ? TensorFlags::kDense : flags;
    case 4:
    case 5:
      if (is_channels_last_contiguous(sizes, strides)) {
        flags |= TensorFlags::kDense |
                 (sizes.size() == 4 ? TensorFlags::kChannelsLastContiguous : TensorFlags::kChannelsLast3dContiguous);
      }
      break;
    default:
      break;
  }
  return flags != 0 || !is_non_overlapping_and_dense(sizes, strides) ? flags : TensorFlags::kDense;
}

void check_sizes(IntArrayRef sizes) {
  STRUCTURED_CHECK(sizes.size() <= kMaxDims, "expected at most ", kMaxDims, " dimensions, got ", sizes.size());
  int64_t numel = 1;
  for (const int64_t size : sizes) {
    STRUCTURED_CHECK(size >= 0, "expected sizes of 0 or more, got ", sizes);
  }
  for (const int64_t size : sizes) {
    STRUCTURED_CHECK(!__builtin_mul_overflow(numel, size == 0 ? 1 : size, &numel),
                     "expected a number of elements that fits int64_t, got sizes ", sizes);
  }
}

void check_shape(IntArrayRef sizes, IntArrayRef strides) {
  STRUCTURED_CHECK(sizes.size() == strides.size(), "expected as many strides as sizes, got sizes ", sizes,
                   " and strides ", strides);
  check_sizes(sizes);
  for (const int64_t stride : strides) {
    STRUCTURED_CHECK(stride >= 0, "expected strides of 0 or more, got ", strides);
  }
}

void fail_nbytes(IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  fail("expected a number of bytes that fits int64_t, got sizes ", sizes, " and strides ", strides, " from offset ",
       offset);
}

}  // namespace structured::detail
