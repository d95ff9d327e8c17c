// Derivatives for PyTorch that access the memory of tensors.
// Why: torch.compile and torch.export trace a backward pass with tensors that have sizes and no memory, so that the
// call throws. Kernels may access memory: they are called by name, and the traced program contains the call.
// Cure: Make the computation an operator, with a `kernel` for each backend and for `Meta`, and call it in the `backward`
// function by the emitted header `<namespace/ops.h>`.
// RUN: %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
#include "aten_mock.h"

namespace kernels {

[[structured::kernel("cube", "CPU", "Meta")]]
at::Tensor cube(const at::Tensor& self);

// example begin
[[structured::backward("cube")]]
at::Tensor cube_backward(const at::Tensor& grad, const at::Tensor& self) {
// CHECK: backward_memory.cpp:[[@LINE+1]]:17: warning: `backward` for `cube` calls `data_ptr`, and tensors of torch.compile have no memory; expected calls of operators, such as a `kernel` of this library that computes the gradient [structured-backward-memory]
  double* out = grad.data_ptr<double>();
  out[0] = 1;
  return grad;
}
// example end

// A helper, a lambda, other functions, and a base class.
double first(const at::Tensor& tensor) {
  // CHECK: backward_memory.cpp:[[@LINE+2]]:11: warning: `backward` for `square` calls `const_data_ptr`, {{.*}}[structured-backward-memory]
  // CHECK: backward_memory.cpp:[[@LINE+11]]:10: note: in a call by `backward` `kernels::square_backward` here
  return *tensor.const_data_ptr<double>();
}
[[structured::kernel("square", "CPU", "Meta")]]
at::Tensor square(const at::Tensor& self);
[[structured::backward("square")]]
at::Tensor square_backward(const at::Tensor& grad, const at::Tensor& self) {
  // CHECK: backward_memory.cpp:[[@LINE+1]]:30: warning: `backward` for `square` calls `accessor`, {{.*}}[structured-backward-memory]
  auto write = [&] { return *static_cast<const at::TensorBase&>(grad).accessor<double, 1>(); };
  // CHECK: backward_memory.cpp:[[@LINE+1]]:4: warning: `backward` for `square` calls `data`, {{.*}}[structured-backward-memory]
  *grad.data<double>() = write();
  return first(self) > 0 ? grad : self;
}

// Near misses: a kernel that computes the gradient, a declaration, `data()` without a pointer, and `allow`.
[[structured::kernel("fill_backward", "CPU", "Meta"), structured::not_differentiable]]
at::Tensor fill_backward(const at::Tensor& grad) {
  *grad.data_ptr<double>() = 1;
  return grad;
}
[[structured::kernel("fill", "CPU", "Meta")]]
at::Tensor fill(const at::Tensor& self);
[[structured::backward("fill")]]
at::Tensor fill_gradient(const at::Tensor& grad) {
  return grad.data();
}
[[structured::kernel("zero", "CPU", "Meta")]]
at::Tensor zero(const at::Tensor& self);
[[structured::backward("zero"), structured::allow("backward-memory")]]
at::Tensor zero_gradient(const at::Tensor& grad) {
  *grad.data_ptr<double>() = 0;
  return grad;
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 4 warnings generated.
