#pragma once
// Copies elements, as bytes, between two sets of strides.
#include <cstdint>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"

namespace structured {

/// For each index within `sizes`, copies an element of `1 << item_size_log2` (0 to 4) bytes from `from` to `to`. There
/// are as many strides as sizes; they are in bytes and may be negative. Strides of `from` may be zero. If the two
/// orders of dimensions differ, elements are copied in tiles that fit into the cache. Uses several threads. The memory
/// of the two must not overlap.
STRUCTURED_API void move_elements(char* to, IntArrayRef to_strides, const char* from, IntArrayRef from_strides,
                                  IntArrayRef sizes, int item_size_log2);

}  // namespace structured
