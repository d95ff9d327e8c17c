// Combining elements with those of a table that indices tell.
#pragma once

#include <structured/core/scalar_type.h>

#include <cstdint>
#include <string_view>

#include "cpu/indexed_loop.h"

namespace structured::kernels {

enum class ScatterReduce : uint8_t { sum, product, maximum, minimum };

/// Sets places of the table to the combination of what they have with elements. NaN is greater, and less, than all
/// numbers. Throws Error, which starts with `name`, for complex maxima and minima.
IndexedLoop scatter_reduce_loop(const char* name, ScatterReduce combination, ScalarType dtype);

}  // namespace structured::kernels
