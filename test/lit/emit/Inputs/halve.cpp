#include <structured/structured.h>

namespace acme {
using namespace structured;

[[structured::meta("halve", "halve_", "halve.out")]]
void halve_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}
[[structured::impl("halve.out", "CPU")]]
void halve_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& out) {
  cpu_kernel(op, [](float x) { return x / 2; });
}

}  // namespace acme
