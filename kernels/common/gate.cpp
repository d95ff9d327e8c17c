// Activations, and a quotient, that are made of other operators.
#include <structured/core/factory.h>
#include <structured/core/scalar.h>
#include <structured/core/tensor.h>
#include <structured/ops/elu.h>
#include <structured/ops/floor_divide.h>
#include <structured/ops/log_sigmoid_forward.h>

#include <tuple>

namespace structured::kernels {
namespace {

// With these the mean of 0 and the variance of 1 stay what they are from layer to layer (G. Klambauer, T. Unterthiner,
// A. Mayr, S. Hochreiter: Self-normalizing neural networks, 2017).
constexpr double kSeluAlpha = 1.6732632423543772848;
constexpr double kSeluScale = 1.0507009873554804934;

}  // namespace

/// `1.0507 * self` above 0, `1.7581 * (exp(self) - 1)` below.
[[structured::composite("selu"), structured::device_check(false)]]
Tensor selu(const Tensor& self) {
  return structured::elu(self, kSeluAlpha, kSeluScale);
}

/// The same in place.
[[structured::composite("selu_"), structured::device_check(false)]]
Tensor& selu_(Tensor& self) {
  return structured::elu_(self, kSeluAlpha, kSeluScale);
}

/// The first result of log_sigmoid_forward.
[[structured::composite("log_sigmoid"), structured::device_check(false)]]
Tensor log_sigmoid(const Tensor& self) {
  return std::get<0>(structured::log_sigmoid_forward(self));
}

/// `self / other`, rounded down.
[[structured::composite("floor_divide.Scalar"), structured::device_check(false)]]
Tensor floor_divide(const Tensor& self, const Scalar& other) {
  return structured::floor_divide(self, detail::wrapped_scalar_tensor(other));
}

/// The same in place.
[[structured::composite("floor_divide_.Scalar"), structured::device_check(false)]]
Tensor& floor_divide_(Tensor& self, const Scalar& other) {
  return structured::floor_divide_(self, detail::wrapped_scalar_tensor(other));
}

}  // namespace structured::kernels
