// Activations by others.
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/ops/elu.h>

namespace structured::kernels {
namespace {

Scalar inverse(const Scalar& alpha) {
  const double value = alpha.to<double>();
  STRUCTURED_CHECK(value != 0, "celu: expected an `alpha` other than 0");
  return 1 / value;
}

}  // namespace

/// `self`, or `alpha * (exp(self / alpha) - 1)` below 0.
[[structured::kernel("celu", "CompositeExplicitAutograd")]]
Tensor celu(const Tensor& self, const Scalar& alpha = 1.0) {
  return structured::elu(self, alpha, 1.0, inverse(alpha));
}

/// The same in place.
[[structured::kernel("celu_", "CompositeExplicitAutograd")]]
Tensor& celu_(Tensor& self, const Scalar& alpha = 1.0) {
  return structured::elu_(self, alpha, 1.0, inverse(alpha));
}

}  // namespace structured::kernels
