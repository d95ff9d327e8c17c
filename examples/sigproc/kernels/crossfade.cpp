// A structured operator on a TensorIterator: broadcasting, type promotion and all strides come with it. It has two
// overloads.
#include <structured/operators.h>
#include <structured/structured.h>

#include <cmath>
#include <tuple>

namespace acme::sigproc::kernels {
using namespace structured;

/// Mixes two signals with equal power: `cos(position * pi / 2) * self + sin(position * pi / 2) * other`, for a position
/// from 0 (all `self`) to 1 (all `other`). The shapes are broadcast.
[[structured::meta("crossfade.Scalar", "crossfade_.Scalar"), structured::method, structured::tags("pointwise")]]
void crossfade_scalar_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& position) {
  op.build_binary_float_op(op.maybe_get_output(), self, other);
}

[[structured::impl("crossfade.Scalar", "CPU")]]
void crossfade_scalar(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& position,
                      const Tensor& out) {
  visit<kFloatingTypes>("crossfade", op.common_dtype(), [&]<class T>() {
    const double angle = position.to<double>() * 1.5707963267948966;
    cpu_kernel(op,
               [mine = T(std::cos(angle)), theirs = T(std::sin(angle))](T x, T y) { return mine * x + theirs * y; });
  });
}

[[structured::backward("crossfade.Scalar")]]
std::tuple<Tensor, Tensor> crossfade_scalar_backward(const Tensor& grad, const Scalar& position) {
  const double angle = position.to<double>() * 1.5707963267948966;
  return {mul(grad, std::cos(angle)), mul(grad, std::sin(angle))};
}

/// Mixes two signals with the weights of each element.
[[structured::composite("crossfade.Tensor")]]
Tensor crossfade_tensor(const Tensor& self, const Tensor& other, const Tensor& position) {
  const Tensor angle = mul(position, 1.5707963267948966);
  return add(mul(cos(angle), self), mul(sin(angle), other));
}

}  // namespace acme::sigproc::kernels
