// Comparison of results of equal calls.
#pragma once

#include <structured/dispatch/value.h>

#include <string>

namespace structured::operator_tests {

/// Describes the first difference; empty if dtypes and sizes are equal and elements agree within the rounding of their
/// dtype. NaN equals NaN.
std::string difference(const Tensor& found, const Tensor& expected);
std::string difference(const Stack& found, const Stack& expected);

}  // namespace structured::operator_tests
