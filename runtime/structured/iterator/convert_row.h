#pragma once
// Conversion of rows of elements between dtypes that are known at run time.
#include <cstdint>

#include "structured/core/export.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"

namespace structured::detail {

/// Converts `count` elements with `convert` (core/convert.h); strides are in bytes. Source and destination may be the
/// same memory if size and stride are equal; otherwise they must not overlap.
using ConvertRow = void (*)(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                            std::int64_t count);

/// Throws Error for quantized types, unless both are equal.
STRUCTURED_API ConvertRow convert_row(ScalarType to, ScalarType from);

/// Versions of convert_row for baseline vector instructions, and for the best ones of this machine (null for pairs of
/// types without one).
ConvertRow plain_convert_row(ScalarType to, ScalarType from);
ConvertRow vector_convert_row(ScalarType to, ScalarType from);

/// First `count` elements of a contiguous tensor as type `to`: the tensor's own memory, or `buffer` after conversion.
STRUCTURED_API char* elements_as(ScalarType to, const Tensor& tensor, char* buffer, std::int64_t count);

}  // namespace structured::detail
