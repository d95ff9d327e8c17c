// In-place variants modify their first argument, a tensor `self`.
// Why: An in-place variant writes its result to `self`, which must be its first argument and a mutable tensor.
// Cure: Take a tensor `self` first, `Tensor& self` in a kernel, or remove the in-place variant. A
// name that ends in `_` for another reason, such as a keyword of C++, needs another ending.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: inplace_self.cpp:[[@LINE+3]]:15: error: `relu_` is in-place, because its name ends in `_`, and takes its first argument as immutable `const Tensor&`; expected `Tensor&`, or a name that does not end in `_` [structured-inplace-self]
// expected-error@+2 {{`relu_` is in-place, because its name ends in `_`, and takes its first argument as immutable `const Tensor&`; expected `Tensor&`, or a name that does not end in `_` [structured-inplace-self]}}
[[structured::composite("relu_")]]
Tensor& relu_(const Tensor& self);
// example end

// CHECK: inplace_self.cpp:[[@LINE+4]]:27: error: variant `add_` is in-place, because its name ends in `_`, and there is no tensor `self`: the first argument is `const Scalar& value`; expected a tensor `self` first, or no in-place variant [structured-inplace-self]
// expected-error@+3 {{variant `add_` is in-place, because its name ends in `_`, and there is no tensor `self`: the first argument is `const Scalar& value`; expected a tensor `self` first, or no in-place variant [structured-inplace-self]}}
// CHECK: inplace_self.cpp:[[@LINE+3]]:29: note: first argument declared here
// expected-note@+2 {{first argument declared here}}
[[structured::meta("add", "add_")]]
void add_meta(MetaBase& op, const Scalar& value, const Tensor& self);
[[structured::impl("add", "CPU")]]
void add_cpu(const Scalar& value, const Tensor& self, const Tensor& out);

// The name ends in `_` for another reason, and the function changes another argument.
// CHECK: inplace_self.cpp:[[@LINE+3]]:11: error: `and_` is in-place, because its name ends in `_`, and takes its first argument as immutable `const Tensor&`; expected `Tensor&`, or a name that does not end in `_` [structured-inplace-self]
// expected-error@+2 {{`and_` is in-place, because its name ends in `_`, and takes its first argument as immutable `const Tensor&`; expected `Tensor&`, or a name that does not end in `_` [structured-inplace-self]}}
[[structured::composite("and_")]]
void and_(const Tensor& self, Tensor& state);

// Near misses: a mutable list, and a dunder name that is not in-place.
[[structured::composite("_foreach_exp_")]]
void foreach_exp_([[structured::alias("a!")]] TensorList self);
[[structured::composite("__and__")]]
Tensor and_(const Tensor& other);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
