#pragma once
// Moving elements, as bytes, from one order of strides to another.
#include <cstdint>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"

namespace structured {

/// For each index within `sizes`, copies an element of `1 << item_size_log2` (0 to 4) bytes from `from` to `to`.
/// Strides are in bytes, as many as sizes, and may be negative or, those of `from`, zero. Where the two orders differ,
/// elements go through tiles that the caches hold. Uses several threads. The two must not overlap.
STRUCTURED_API void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides,
                                  IntArrayRef sizes, int item_size_log2);

}  // namespace structured
