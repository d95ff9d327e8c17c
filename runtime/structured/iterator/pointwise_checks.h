#pragma once
// Checks of elementwise meta functions beyond shapes and type promotion.
#include <optional>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/number/scalar.h"
#include "structured/number/scalar_type.h"

namespace structured {

namespace detail {
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void fail_dtype(const char* op, ScalarType dtype, ScalarTypeSet expected);
STRUCTURED_API void check_scalar_category(const char* op, const char* argument, ScalarType dtype, const Scalar& scalar);
}  // namespace detail

/// Throws Error unless the operator `op` supports `dtype`.
inline void check_dtype(const char* op, ScalarType dtype, ScalarTypeSet expected) {
  if (!expected.contains(dtype)) [[unlikely]]
    detail::fail_dtype(op, dtype, expected);
}

/// Throws Error if a number has a higher category than elements of `dtype`: a fraction with integers, or a complex
/// number with real numbers. A boolean is accepted for Bool only.
inline void check_scalar(const char* op, const char* argument, ScalarType dtype, const Scalar& scalar) {
  // Integers are valid with every dtype, real numbers with floating dtypes.
  if (scalar.is_integral(false) || (scalar.is_floating() && is_floating(dtype))) [[likely]]
    return;
  detail::check_scalar_category(op, argument, dtype, scalar);
}
inline void check_scalar(const char* op, const char* argument, ScalarType dtype, const std::optional<Scalar>& scalar) {
  if (scalar) check_scalar(op, argument, dtype, *scalar);
}

/// Throws Error unless the dtype of `mask` is Bool.
STRUCTURED_API void check_boolean(const char* op, const char* argument, const Tensor& mask);

}  // namespace structured
