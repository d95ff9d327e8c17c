// Composite kernels for selu, log_sigmoid, celu and _prelu_kernel.
#include <structured/core/error.h>
#include <structured/core/scalar.h>
#include <structured/core/scalar_type.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/ops/elu.h>
#include <structured/ops/gt.h>
#include <structured/ops/log_sigmoid_forward.h>
#include <structured/ops/mul.h>
#include <structured/ops/where.h>

#include <tuple>

namespace structured::kernels {
namespace {

// Constants for which layers preserve a mean of 0 and a variance of 1 (G. Klambauer, T. Unterthiner, A. Mayr, S.
// Hochreiter, "Self-Normalizing Neural Networks", 2017).
constexpr double kSeluAlpha = 1.6732632423543772848;
constexpr double kSeluScale = 1.0507009873554804934;

Scalar inverse(const Scalar& alpha) {
  const double value = alpha.to<double>();
  STRUCTURED_CHECK(value != 0, "celu: expected an `alpha` other than 0");
  return 1 / value;
}

}  // namespace

/// Scaled exponential linear unit: `scale * self` where `self > 0`, `scale * alpha * (exp(self) - 1)` elsewhere, with
/// scale = 1.0507 and alpha = 1.6733. Floating-point dtypes only. Source: G. Klambauer et al., "Self-Normalizing Neural
/// Networks", 2017.
[[structured::composite("selu"), structured::device_check(false)]]
Tensor selu(const Tensor& self) {
  return structured::elu(self, kSeluAlpha, kSeluScale);
}

/// Scaled exponential linear unit in place: `scale * self` where `self > 0`, `scale * alpha * (exp(self) - 1)`
/// elsewhere, with scale = 1.0507 and alpha = 1.6733. Floating-point dtypes only.
[[structured::composite("selu_"), structured::device_check(false)]]
Tensor& selu_(Tensor& self) {
  return structured::elu_(self, kSeluAlpha, kSeluScale);
}

/// Logarithm of the sigmoid: `log(1 / (1 + exp(-self)))`, computed without overflow. Floating-point dtypes only.
[[structured::composite("log_sigmoid"), structured::device_check(false)]]
Tensor log_sigmoid(const Tensor& self) {
  return std::get<0>(structured::log_sigmoid_forward(self));
}

/// Continuously differentiable exponential linear unit: `self` where `self > 0`, `alpha * (exp(self / alpha) - 1)`
/// elsewhere. `alpha` must not be 0. Floating-point dtypes only.
[[structured::composite("celu")]]
Tensor celu(const Tensor& self, const Scalar& alpha = 1.0) {
  return structured::elu(self, alpha, 1.0, inverse(alpha));
}

/// Continuously differentiable exponential linear unit in place: `self` where `self > 0`, `alpha * (exp(self / alpha) -
/// 1)` elsewhere. `alpha` must not be 0. Floating-point dtypes only.
[[structured::composite("celu_")]]
Tensor& celu_(Tensor& self, const Scalar& alpha = 1.0) {
  return structured::elu_(self, alpha, 1.0, inverse(alpha));
}

/// Parametric rectified linear unit: `self` where `self > 0`, `weight * self` elsewhere. Inputs are broadcast and have
/// one floating-point dtype.
[[structured::kernel("_prelu_kernel", "CompositeExplicitAutograd")]]
Tensor prelu_kernel(const Tensor& self, const Tensor& weight) {
  check_dtype("_prelu_kernel", self.scalar_type(), kAllFloatingTypes);
  STRUCTURED_CHECK(weight.scalar_type() == self.scalar_type(), "_prelu_kernel: expected `weight` of dtype ",
                   self.scalar_type(), ", got ", weight.scalar_type());
  return structured::where(structured::gt(self, 0), self, structured::mul(weight, self));
}

}  // namespace structured::kernels
