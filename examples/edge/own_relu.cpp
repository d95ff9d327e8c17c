// An operator of the program in place of the library's aten::relu. It counts its calls.
#include "own_relu.h"

#include <structured/structured.h>

using namespace structured;

int relu_calls = 0;

[[structured::meta("relu", "relu.out")]]
void relu_meta(TensorIteratorBase& op, const Tensor& self) {
  op.build_unary_op(op.maybe_get_output(), self);
}

[[structured::impl("relu.out", "CPU")]]
void relu_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& out) {
  ++relu_calls;
  visit<kFloat | kDouble>("relu", op.common_dtype(),
                          [&]<class T>() { cpu_kernel(op, [](T x) { return x < 0 ? T(0) : x; }); });
}
