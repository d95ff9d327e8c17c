// Composite kernels for selu, log_sigmoid, celu, rrelu_with_noise and _prelu_kernel.
#include <structured/autograd/grad_mode.h>
#include <structured/base/error.h>
#include <structured/core/generator.h>
#include <structured/core/tensor.h>
#include <structured/iterator/pointwise_checks.h>
#include <structured/number/scalar.h>
#include <structured/number/scalar_type.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/detach.h>
#include <structured/ops/elu.h>
#include <structured/ops/empty_like.h>
#include <structured/ops/gt.h>
#include <structured/ops/leaky_relu.h>
#include <structured/ops/log_sigmoid_forward.h>
#include <structured/ops/mul.h>
#include <structured/ops/rrelu_with_noise.h>
#include <structured/ops/uniform.h>
#include <structured/ops/where.h>

#include <optional>
#include <tuple>
#include <utility>

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

// Sets `noise` to slopes between `lower` and `upper`, and to 1 where `self` is positive.
void draw_slopes(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                 const std::optional<Generator>& generator) {
  constexpr const char* name = "rrelu_with_noise";
  check_dtype(name, self.scalar_type(), kFloatingTypes | kBFloat16);
  STRUCTURED_CHECK(noise.sizes() == self.sizes(), name, ": expected `noise` of sizes ", self.sizes(), ", got ",
                   noise.sizes());
  const NoGradGuard guard;
  Tensor slopes = structured::empty_like(self);
  structured::uniform_(slopes, lower.to<double>(), upper.to<double>(), generator);
  structured::copy_(noise, structured::where(structured::gt(self, 0), Scalar(1.0), slopes));
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
[[structured::composite("log_sigmoid"), structured::variants("log_sigmoid.out"), structured::device_check(false)]]
Tensor log_sigmoid(const Tensor& self) {
  return std::get<0>(structured::log_sigmoid_forward(self));
}

/// Continuously differentiable exponential linear unit: `self` where `self > 0`, `alpha * (exp(self / alpha) - 1)`
/// elsewhere. `alpha` must not be 0. Floating-point dtypes only.
[[structured::composite("celu"), structured::variants("celu.out")]]
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

/// Randomized leaky rectified linear unit in place: keeps elements above 0 and multiplies the others by a slope. With
/// `training`, each slope is drawn between `lower` and `upper`; `noise`, of the sizes of `self`, is set to the slopes,
/// and to 1 where `self > 0`. Otherwise the slope is the mean of `lower` and `upper`. Floating-point dtypes only; not
/// Half with `training`.
[[structured::composite("rrelu_with_noise_"), structured::tags("nondeterministic_seeded")]]
Tensor& rrelu_with_noise_(Tensor& self, Tensor& noise, const Scalar& lower = 0.125,
                          const Scalar& upper = 0.3333333333333333, bool training = false,
                          std::optional<Generator> generator = std::nullopt) {
  return structured::copy_(self, structured::rrelu_with_noise(self, noise, lower, upper, training, generator));
}

/// Randomized leaky rectified linear unit: `self` where `self > 0`, `slope * self` elsewhere. With `training`, each
/// slope is drawn between `lower` and `upper`; `noise`, of the sizes of `self`, is set to the slopes, and to 1 where
/// `self > 0`. Otherwise the slope is the mean of `lower` and `upper`. Floating-point dtypes only; not Half with
/// `training`. Source: B. Xu et al., "Empirical Evaluation of Rectified Activations in Convolutional Network", 2015.
[[structured::composite("rrelu_with_noise"), structured::tags("nondeterministic_seeded")]]
Tensor rrelu_with_noise(const Tensor& self, Tensor& noise, const Scalar& lower = 0.125,
                        const Scalar& upper = 0.3333333333333333, bool training = false,
                        std::optional<Generator> generator = std::nullopt) {
  if (!training) return structured::leaky_relu(self, (lower.to<double>() + upper.to<double>()) / 2);
  draw_slopes(self, noise, lower, upper, generator);
  return structured::mul(self, structured::detach(noise));
}

/// Randomized leaky rectified linear unit that leaves its arguments as they are: the result of rrelu_with_noise, and
/// the slopes, which are a copy of `noise` without `training`. `noise` has the sizes of `self`. Floating-point dtypes
/// only; not Half with `training`.
[[structured::composite("rrelu_with_noise_functional"), structured::tags("nondeterministic_seeded"),
  structured::returns("", "noise_out")]]
std::tuple<Tensor, Tensor> rrelu_with_noise_functional(const Tensor& self, const Tensor& noise,
                                                       const Scalar& lower = 0.125,
                                                       const Scalar& upper = 0.3333333333333333, bool training = false,
                                                       std::optional<Generator> generator = std::nullopt) {
  Tensor slopes = structured::clone(noise);
  Tensor result = structured::rrelu_with_noise(self, slopes, lower, upper, training, generator);
  return {std::move(result), std::move(slopes)};
}

}  // namespace structured::kernels
