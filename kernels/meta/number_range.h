// Checks of numbers against the range of a dtype.
#pragma once

#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

namespace structured::kernels {

/// Position of a number relative to the finite numbers of a dtype.
enum class NumberRange { below, inside, above };

/// Compares a real number with the range of `dtype`. Infinity and NaN are inside the range of floating-point dtypes.
/// Precondition: `number` is an integer or a boolean if `dtype` is integral.
NumberRange range_of(const Scalar& number, ScalarType dtype);

/// Throws Error unless `dtype` holds `number`, an argument of operator `op`. A negative integer wraps around in an
/// unsigned dtype that holds its magnitude (Scalar::to).
void check_range(const char* op, const char* argument, const Scalar& number, ScalarType dtype);

/// Throws Error if no element of `dtype` satisfies the bound `min` or `max` of operator `op`: if a lower bound of
/// integers exceeds the greatest one, an upper bound of integers is less than the least one, or `dtype` is
/// floating-point and does not hold the bound.
void check_bound(const char* op, bool is_min, const Scalar& bound, ScalarType dtype);

}  // namespace structured::kernels
