#pragma once
// Rows of elements from one type to another that is known at run time.
#include <cstdint>

#include "structured/core/export.h"
#include "structured/core/scalar_type.h"
#include "structured/core/tensor.h"

namespace structured::detail {

/// Converts `count` elements as `convert` does; strides are in bytes. The two may be the same memory if their elements
/// have equal size and stride, and do not overlap otherwise.
using ConvertRow = void (*)(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                            std::int64_t count);

/// Throws Error for quantized types, unless both are the same.
STRUCTURED_API ConvertRow convert_row(ScalarType to, ScalarType from);

/// The same for the baseline's vector instructions; and for better ones, of which this machine has some, or null if
/// there is none.
ConvertRow plain_convert_row(ScalarType to, ScalarType from);
ConvertRow vector_convert_row(ScalarType to, ScalarType from);

/// The first `count` elements of a contiguous tensor as elements of type `to`: its own ones, or else converted into
/// `buffer`.
STRUCTURED_API char* elements_as(ScalarType to, const Tensor& tensor, char* buffer, std::int64_t count);

}  // namespace structured::detail
