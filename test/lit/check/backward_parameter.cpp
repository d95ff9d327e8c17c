// Parameters of derivatives are matched by name.
// Why: Emitted code passes arguments to a derivative by name: gradients, inputs and outputs of its operator. No
// other values are available in the backward pass.
// Cure: Use the operator's names, and `grad` or `grad_<output>` for gradients.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

// CHECK: backward_parameter.cpp:[[@LINE+9]]:75: error: `backward` for `add.Tensor` takes `othr`, which is not a gradient, input or output of the operator; did you mean `other`? [structured-backward-parameter]
// expected-error@+8 {{`backward` for `add.Tensor` takes `othr`, which is not a gradient, input or output of the operator; did you mean `other`? [structured-backward-parameter]}}
// CHECK: backward_parameter.cpp:[[@LINE-7]]:15: note: the operator's parameters are declared here
// expected-note@-8 {{the operator's parameters are declared here}}
// CHECK: backward_parameter.cpp:[[@LINE+5]]:95: error: `backward` for `add.Tensor` takes `workspace`, which is not a gradient, input or output of the operator; expected one of `grad`, `grad_out`, `self`, `other`, `alpha` or `out` [structured-backward-parameter]
// expected-error@+4 {{`backward` for `add.Tensor` takes `workspace`, which is not a gradient, input or output of the operator; expected one of `grad`, `grad_out`, `self`, `other`, `alpha` or `out` [structured-backward-parameter]}}
// CHECK: backward_parameter.cpp:[[@LINE-11]]:15: note: the operator's parameters are declared here
// expected-note@-12 {{the operator's parameters are declared here}}
[[structured::backward("add.Tensor")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad, const Tensor& othr, const Tensor& workspace);
// example end

// Near miss: outputs, their gradients, inputs that are not tensors.
[[structured::meta("sort"), structured::returns("values", "indices")]]
void sort_meta(MetaBase& op, const Tensor& self, int64_t dim);
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& indices);
[[structured::backward("sort")]]
Tensor sort_backward(const Tensor& grad_values, int64_t dim, const Tensor& indices);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
