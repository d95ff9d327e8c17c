// An operator without a derivative, in a library that has derivatives.
// Why: A backward pass that reaches a call of the operator throws. Libraries without any `backward` function are not
// checked, since they do not use gradients.
// Cure: Write a `backward` function. Mark the operator `not_differentiable` if its results have no gradient, such as
// indices. Make it `composite` if it only calls operators that have derivatives. Or suppress the warning with
// `allow("missing-derivative")`.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin %s 2>&1 | count 0
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::kernel("half", "CPU", "Meta")]]
Tensor half(const Tensor& self);
[[structured::backward("half")]]
Tensor half_backward(const Tensor& grad);

// CHECK: missing_derivative.cpp:[[@LINE+1]]:22: warning: `third` has no derivative, so that a backward pass through it throws; expected a `backward` function for it, or `not_differentiable` [structured-missing-derivative]
[[structured::kernel("third", "CPU", "Meta")]]
Tensor third(const Tensor& self);
// example end

// CHECK: missing_derivative.cpp:[[@LINE+1]]:20: warning: `both` has no derivative
[[structured::meta("both", "both.out")]]
void both_meta(MetaBase& op, const Tensor& self, const Tensor& other);
[[structured::impl("both.out", "CPU")]]
void both_cpu(const Tensor& self, const Tensor& other, const Tensor& out);

// One warning for an operator, and none for its in-place variant; an in-place operator alone has its own.
// CHECK: missing_derivative.cpp:[[@LINE+1]]:22: warning: `fifth` has no derivative
[[structured::kernel("fifth", "CPU", "Meta")]]
Tensor fifth(const Tensor& self);
[[structured::kernel("fifth_", "CPU", "Meta")]]
Tensor& fifth_(Tensor& self);
[[structured::kernel("fifth.out", "CPU", "Meta")]]
Tensor& fifth_out(const Tensor& self, Tensor& out);
// CHECK: missing_derivative.cpp:[[@LINE+1]]:22: warning: `sixth_` has no derivative
[[structured::kernel("sixth_", "CPU", "Meta")]]
Tensor& sixth_(Tensor& self);

// Near misses: marked operators, composites, results that are not tensors, no tensors, outputs of the caller.
[[structured::kernel("place", "CPU", "Meta"), structured::not_differentiable]]
Tensor place(const Tensor& self);
[[structured::kernel("rare", "CPU", "Meta"), structured::allow("missing-derivative")]]
Tensor rare(const Tensor& self);
[[structured::composite("twice")]]
Tensor twice(const Tensor& self);
[[structured::kernel("is_empty", "CPU", "Meta")]]
bool is_empty(const Tensor& self);
[[structured::kernel("new_one", "CPU", "Meta")]]
Tensor new_one(int64_t size);
[[structured::kernel("third.out", "CPU", "Meta")]]
Tensor& third_out(const Tensor& self, Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 4 warnings generated.
