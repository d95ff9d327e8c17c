// A meta function does not modify its inputs.
// Why: The inputs of a structured operator are immutable; its in-place and out variants write to the outputs.
// Cure: Take `const Tensor&`. An operator that modifies an argument in addition to its result is a `kernel`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: written_input.cpp:[[@LINE+3]]:31: error: `meta` for `twice` takes `self` as `Tensor&`, which is mutable; expected `const Tensor&` [structured-written-input]
// expected-error@+2 {{`meta` for `twice` takes `self` as `Tensor&`, which is mutable; expected `const Tensor&` [structured-written-input]}}
[[structured::meta("twice")]]
void twice_meta(MetaBase& op, Tensor& self);
// CHECK: written_input.cpp:[[@LINE+5]]:16: error: `impl` for `twice` takes `Tensor&` where `meta` takes `const Tensor&` [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `twice` takes `Tensor&` where `meta` takes `const Tensor&` [structured-impl-mismatch]}}
// CHECK: written_input.cpp:[[@LINE-3]]:31: note: `meta` parameter declared here
// expected-note@-4 {{`meta` parameter declared here}}
[[structured::impl("twice", "CPU")]]
void twice_cpu(Tensor& self, const Tensor& out);
// example end

// Near miss: unstructured kernels may have mutable inputs.
[[structured::composite("thrice_")]]
Tensor& thrice_(Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
