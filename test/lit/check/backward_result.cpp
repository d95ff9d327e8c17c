// A derivative returns one gradient for each tensor input.
// Why: A derivative returns one gradient for each tensor input, in order. With a different number, gradients would be
// assigned to the wrong inputs.
// Cure: Return a tensor, or a `std::tuple` with one tensor for each tensor input. Return an empty optional for an input
// without a gradient.
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

// CHECK: backward_result.cpp:[[@LINE+5]]:1: error: `backward` for `add.Tensor` returns `Tensor`; expected 2 tensors, the gradients of `self` and `other` [structured-backward-result]
// expected-error@+4 {{`backward` for `add.Tensor` returns `Tensor`; expected 2 tensors, the gradients of `self` and `other` [structured-backward-result]}}
// CHECK: backward_result.cpp:[[@LINE-7]]:15: note: the operator's parameters are declared here
// expected-note@-8 {{the operator's parameters are declared here}}
[[structured::backward("add.Tensor")]]
Tensor add_backward(const Tensor& grad, const Scalar& alpha);
// example end

// Near miss: a gradient may be absent.
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);
[[structured::backward("mm")]]
std::tuple<std::optional<Tensor>, Tensor> mm_backward(const Tensor& grad, const Tensor& self, const Tensor& mat2);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
