#pragma once
// Comparison of the outputs of a program with expected tensors.
#include <structured/core/tensor.h>

#include <optional>
#include <string>

namespace structured::run {

/// Describes how `found` differs from `expected`, or returns an empty text. Dtypes and sizes must be equal. Integers
/// and booleans must be equal; other elements may differ by `tolerance` times the largest finite magnitude in
/// `expected`, and infinities and NaN must be at the same positions. Without a tolerance, elements may differ by the
/// tolerances of torch.testing for their dtype: a relative one, times the largest magnitude, plus an absolute one. Both
/// tensors are on the CPU.
std::string difference(const Tensor& found, const Tensor& expected, std::optional<double> tolerance);

}  // namespace structured::run
