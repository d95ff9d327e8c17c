#pragma once
// Conversion of rows of elements between dtypes that are known at run time.
#include <cstddef>
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/number/scalar_type.h"

namespace structured::detail {

/// Converts `count` elements; strides are in bytes. Source and destination may be the same memory if size and stride
/// are equal; otherwise they must not overlap.
using ConvertLoop = void (*)(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count);

/// Conversion of rows between two dtypes with `convert` (number/convert.h), by one loop or by two.
class ConvertRow {
 public:
  ConvertRow() = default;  // unspecified
  ConvertRow(std::nullptr_t) : ConvertRow(static_cast<ConvertLoop>(nullptr)) {}
  ConvertRow(ConvertLoop loop) : first_(loop), second_(nullptr) {}
  /// `first` writes elements of up to kStep bytes, which `second` reads.
  ConvertRow(ConvertLoop first, ConvertLoop second) : first_(first), second_(second) {}

  void operator()(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) const {
    if (second_ == nullptr) [[likely]]
      return first_(to, to_stride, from, from_stride, count);
    run_both(to, to_stride, from, from_stride, count);
  }
  friend bool operator==(const ConvertRow& row, std::nullptr_t) { return row.first_ == nullptr; }

 private:
  static constexpr int64_t kStep = 16;

  STRUCTURED_API void run_both(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count) const;

  ConvertLoop first_;
  ConvertLoop second_;  // null if the first one converts to the destination's dtype
};

/// Throws Error for quantized types, unless both are equal.
STRUCTURED_API ConvertRow convert_row(ScalarType to, ScalarType from);

/// Versions of convert_row for baseline vector instructions, and for the best ones of this machine (null for pairs of
/// types without one).
ConvertRow plain_convert_row(ScalarType to, ScalarType from);
ConvertRow vector_convert_row(ScalarType to, ScalarType from);

/// First `count` elements of a contiguous tensor as type `to`: the tensor's own memory, or `buffer` after conversion.
STRUCTURED_API char* elements_as(ScalarType to, const Tensor& tensor, char* buffer, int64_t count);

}  // namespace structured::detail
