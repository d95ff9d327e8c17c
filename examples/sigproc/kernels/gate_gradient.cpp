// A derivative as a function of operators, which may be differentiated again.
#include <structured/operators.h>
#include <structured/structured.h>

namespace acme::sigproc::kernels {
using namespace structured;

[[structured::backward("gate", "self")]]
Tensor gate_self(const Tensor& grad, const Tensor& open, const Scalar& attenuation) {
  return where(open, grad, mul(grad, attenuation));
}

}  // namespace acme::sigproc::kernels
