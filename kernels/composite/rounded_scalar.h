#pragma once
// Numbers that become the only element of a tensor.
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>

namespace structured::kernels {

/// The number of Half or BFloat16 that is nearest to `value`, infinite if `value` is too large; `value` itself for
/// other dtypes, and for complex numbers. As PyTorch's, single elements of these dtypes are rounded where longer
/// tensors need a number that fits.
inline Scalar rounded_scalar(const Scalar& value, ScalarType dtype) {
  if (value.is_complex()) return value;
  if (dtype == kHalf) return value.converted<Half>();
  if (dtype == kBFloat16) return value.converted<BFloat16>();
  return value;
}

}  // namespace structured::kernels
