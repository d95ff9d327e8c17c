// In-place variants have one output.
// Why: An in-place variant writes one tensor, `self`. It has no argument for further outputs.
// Cure: Remove the in-place variant. An out variant may have several outputs.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: inplace_outputs.cpp:[[@LINE+4]]:28: error: variant `sort_` is in-place, because its name ends in `_`, and the operator has 2 outputs; expected one output, because only `self` is mutable [structured-inplace-outputs]
// expected-error@+3 {{variant `sort_` is in-place, because its name ends in `_`, and the operator has 2 outputs; expected one output, because only `self` is mutable [structured-inplace-outputs]}}
// CHECK: inplace_outputs.cpp:[[@LINE+5]]:15: note: outputs declared here
// expected-note@+4 {{outputs declared here}}
[[structured::meta("sort", "sort_", "sort.out")]]
void sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
// example end

// CHECK: inplace_outputs.cpp:[[@LINE+3]]:1: error: `swap_` is in-place, because its name ends in `_`, and returns `std::tuple<Tensor&, Tensor&>`; expected one mutable tensor, `self`, or a name that does not end in `_` [structured-inplace-outputs]
// expected-error@+2 {{`swap_` is in-place, because its name ends in `_`, and returns `std::tuple<Tensor&, Tensor&>`; expected one mutable tensor, `self`, or a name that does not end in `_` [structured-inplace-outputs]}}
[[structured::composite("swap_")]]
std::tuple<Tensor&, Tensor&> swap_(Tensor& self, Tensor& other);

// Near miss: more mutable arguments than results.
[[structured::composite("update_")]]
Tensor& update_(Tensor& self, Tensor& tracker);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
