// Names of a derivative's parameters have one meaning.
// Why: A derivative that is an operator itself often has an input `grad`. In the derivative of that operator, `grad`
// is the gradient of the result, so that the name could mean either.
// Cure: Use `input_<name>` for an input, `result_<name>` for a result, and `grad_<result>` for a gradient.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::kernel("scale_backward", "CPU", "Meta")]]
Tensor scale_backward(const Tensor& grad, const Tensor& self, double factor);
// CHECK: backward_ambiguous.cpp:[[@LINE+5]]:46: error: `backward` for `scale_backward` takes `grad`, which names both the gradient of the result and the input `grad`; expected `grad_out` for the gradient of the result, or `input_grad` for the input `grad` [structured-backward-ambiguous]
// expected-error@+4 {{`backward` for `scale_backward` takes `grad`, which names both the gradient of the result and the input `grad`; expected `grad_out` for the gradient of the result, or `input_grad` for the input `grad` [structured-backward-ambiguous]}}
// CHECK: backward_ambiguous.cpp:[[@LINE-3]]:23: note: the operator's parameters are declared here
// expected-note@-4 {{the operator's parameters are declared here}}
[[structured::backward("scale_backward", "grad")]]
Tensor scale_backward_backward(const Tensor& grad, double factor);
// example end

// Near misses: the unambiguous names.
[[structured::backward("scale_backward", "self")]]
Tensor scale_backward_self(const Tensor& grad_out, const Tensor& input_grad);

// The gradient of a result has the name of an input, or a result has it.
[[structured::kernel("log_backward", "CPU", "Meta"), structured::returns("values", "")]]
std::tuple<Tensor, Tensor> log_backward(const Tensor& grad_values, const Tensor& out1);
// CHECK: backward_ambiguous.cpp:[[@LINE+7]]:64: error: `backward` for `log_backward` takes `grad_values`, which names both the gradient of the result `values` and the input `grad_values`; expected `grad` for the gradient of the result `values`, or `input_grad_values` for the input `grad_values` [structured-backward-ambiguous]
// expected-error@+6 {{`backward` for `log_backward` takes `grad_values`, which names both the gradient of the result `values` and the input `grad_values`; expected `grad` for the gradient of the result `values`, or `input_grad_values` for the input `grad_values` [structured-backward-ambiguous]}}
// expected-note@-3 {{the operator's parameters are declared here}}
// CHECK: backward_ambiguous.cpp:[[@LINE+4]]:91: error: `backward` for `log_backward` takes `out1`, which names both the input `out1` and the result `out1`; expected `input_out1` for the input `out1`, or `result_out1` for the result `out1` [structured-backward-ambiguous]
// expected-error@+3 {{`backward` for `log_backward` takes `out1`, which names both the input `out1` and the result `out1`; expected `input_out1` for the input `out1`, or `result_out1` for the result `out1` [structured-backward-ambiguous]}}
// expected-note@-6 {{the operator's parameters are declared here}}
[[structured::backward("log_backward")]]
std::tuple<Tensor, Tensor> log_backward_backward(const Tensor& grad_values, const Tensor& out1);

// Near misses: a gradient's name without an input of that name, and properties of an input `grad`.
[[structured::kernel("sum_backward", "CPU", "Meta")]]
Tensor sum_backward(const Tensor& grad, [[structured::symint]] IntArrayRef self_sizes);
[[structured::backward("sum_backward")]]
Tensor sum_backward_grad(const Tensor& grad_out, IntArrayRef grad_sizes, IntArrayRef self_sizes);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
