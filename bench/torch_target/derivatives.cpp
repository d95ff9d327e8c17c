#include <structured/torch.h>

namespace emitted {

[[structured::backward("add", "self")]]
at::Tensor add_self(const at::Tensor& grad) {
  return grad;
}

[[structured::backward("add", "other")]]
at::Tensor add_other(const at::Tensor& grad, const at::Scalar& alpha) {
  return grad.mul(alpha);
}

}  // namespace emitted
