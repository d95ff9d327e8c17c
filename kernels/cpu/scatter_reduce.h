// Reduction of elements into table entries selected by indices.
#pragma once

#include <structured/number/scalar_type.h>

#include <cstdint>
#include <string_view>

#include "cpu/indexed_loop.h"

namespace structured::kernels {

enum class ScatterReduce : uint8_t { sum, product, maximum, minimum };

/// Returns loops that reduce elements into table entries. Minimum and maximum propagate NaN; for complex dtypes they
/// throw Error, with a message that starts with `name`.
IndexedLoop scatter_reduce_loop(const char* name, ScatterReduce combination, ScalarType dtype);

}  // namespace structured::kernels
