// gdb's `step` passes over the runtime's helpers between a call and its kernel.
//
// REQUIRES: gdb
// RUN: rm -rf %t && mkdir %t
// RUN: %gxx -g -O0 -I%runtime %s %runtime_lib -o %t/program
// RUN: env LD_LIBRARY_PATH=$(dirname %runtime_lib) gdb -q -batch -nx \
// RUN:   -iex "add-auto-load-safe-path $(dirname $(readlink -f %runtime_lib))" -x %S/Inputs/step_to_kernel.gdb \
// RUN:   %t/program | grep '^step: ' | FileCheck %s
#include <structured/structured.h>

using namespace structured;

// A wrapper in the form that structured-gen emits.
void scale_meta(TensorIteratorBase& op, const Tensor& self, const Scalar&) {
  op.build_unary_op(op.maybe_get_output(), self);
}
void scale_cpu(const Tensor& self, const Scalar& factor, const Tensor& out) {
  out.data_ptr<float>()[0] = self.data_ptr<float>()[0] * factor.to<float>();
}
Tensor wrapper_cpu_scale(const Tensor& self, const Scalar& factor) {
  Functional<TensorIteratorBase, 1> op;
  scale_meta(op, self, factor);
  scale_cpu(self, factor, op.output(0));
  return std::move(op).take_output();
}
constinit Operator<Tensor(const Tensor&, const Scalar&)> op_scale{
    "my::scale", "scale(Tensor self, Scalar factor) -> Tensor", {{Backend::CPU, wrapper_cpu_scale}}};
Tensor scale(const Tensor& self, const Scalar& factor) { return op_scale(self, factor); }

// CHECK: step: main
// CHECK-NEXT: step: scale
// CHECK-NEXT: step: structured::Operator<{{.*}}>::operator()
// CHECK-NEXT: step: structured::Operator<{{.*}}>::call_through
// CHECK-NEXT: step: structured::Operator<{{.*}}>::call_kernel
// CHECK-NEXT: step: wrapper_cpu_scale
// CHECK-NEXT: step: scale_meta
// CHECK-NEXT: step: wrapper_cpu_scale
// CHECK-NEXT: step: scale_cpu
int main() {
  const Tensor a = tensor<float>({1, 2});
  scale(a, 2);
}
