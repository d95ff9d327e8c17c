// Composite kernels for floor_divide with a scalar divisor.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/number/scalar.h>
#include <structured/ops/floor_divide.h>

namespace structured::kernels {

/// Elementwise quotient by a scalar, rounded down: `floor(self / other)`. Division of an integer by 0 is an error.
/// Complex inputs are not supported.
[[structured::composite("floor_divide.Scalar"), structured::variants("floor_divide.Scalar_out"),
  structured::device_check(false)]]
Tensor floor_divide(const Tensor& self, const Scalar& other) {
  return structured::floor_divide(self, wrapped_scalar_tensor(other));
}

/// Elementwise quotient by a scalar, rounded down, in place: `floor(self / other)`. Division of an integer by 0 is an
/// error. Complex inputs are not supported.
[[structured::composite("floor_divide_.Scalar"), structured::device_check(false)]]
Tensor& floor_divide_(Tensor& self, const Scalar& other) {
  return structured::floor_divide_(self, wrapped_scalar_tensor(other));
}

}  // namespace structured::kernels
