#include <structured/structured.h>
using namespace structured;

[[structured::meta("add", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other) {
  op.build_binary_op(op.maybe_get_output(), self, other);
}

[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Tensor& out) {
  visit<kAllTypes>("add", op.common_dtype(),
                   [&]<class T>() { cpu_kernel(op, [](T a, T b) { return static_cast<T>(a + b); }); });
}

[[structured::meta("negate", "negate.out")]]
void negate_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}

[[structured::impl("negate.out", "CPU")]]
void negate_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& out) {
  visit<kFloatingTypes>("negate", op.common_dtype(), [&]<class T>() { cpu_kernel(op, [](T a) { return -a; }); });
}
