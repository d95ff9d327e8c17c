#pragma once
// Python's names of dtypes.
#include <optional>
#include <string_view>

#include "structured/number/scalar_type.h"

namespace structured::python {

/// `float32` for Float, and so on.
const char* dtype_name(ScalarType dtype);
/// The dtype with a name of Python (`float32`), or of ATen's schemas (`float`).
std::optional<ScalarType> find_dtype(std::string_view name);

}  // namespace structured::python
