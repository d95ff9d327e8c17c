// A derivative names differentiable inputs of its operator. An input has one derivative.
// Why: Names after the operator's name say whose gradients a function returns. Two functions for one input would both
// compute its gradient, and only tensor inputs have gradients.
// Cure: Name tensor inputs of the operator, and divide them among its derivatives.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::kernel("mm", "CPU", "Meta")]]
Tensor mm(const Tensor& self, const Tensor& mat2, int64_t threads);

// CHECK: backward_input.cpp:[[@LINE+4]]:30: error: `backward` names `threads`, which is not a differentiable input of `mm`; expected `self` or `mat2` [structured-backward-input]
// expected-error@+3 {{`backward` names `threads`, which is not a differentiable input of `mm`; expected `self` or `mat2` [structured-backward-input]}}
// CHECK: backward_input.cpp:[[@LINE-4]]:11: note: the operator's parameters are declared here
// expected-note@-5 {{the operator's parameters are declared here}}
[[structured::backward("mm", "threads")]]
Tensor mm_threads(const Tensor& grad);

// Near miss: one function for each input, which takes sizes and flags.
// expected-note@+1 {{the first one is here}}
[[structured::backward("mm", "self")]]
Tensor mm_self(const Tensor& grad, IntArrayRef self_sizes);
[[structured::backward("mm", "mat2")]]
Tensor mm_mat2(const Tensor& grad, const Tensor& out);

// CHECK: backward_input.cpp:[[@LINE+2]]:30: error: a second `backward` for `self` of `mm`; expected one function for each input [structured-backward-input]
// expected-error@+1 {{a second `backward` for `self` of `mm`; expected one function for each input [structured-backward-input]}}
[[structured::backward("mm", "self")]]
Tensor mm_self_again(const Tensor& grad, const Tensor& mat2);
// CHECK: note: the first one is here
// example end

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
