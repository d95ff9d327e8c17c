// A function has one role.
// Why: A function has one role: it computes shapes, computes into given outputs, or returns its results.
// Cure: Keep one attribute, and write a second function for the other role. A function may have the same role in
// several operators.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: conflicting_roles.cpp:[[@LINE+4]]:35: error: `kernels::twice` is `kernel` and `composite`; expected one of them [structured-conflicting-roles]
// expected-error@+3 {{`kernels::twice` is `kernel` and `composite`; expected one of them [structured-conflicting-roles]}}
// CHECK: conflicting_roles.cpp:[[@LINE+2]]:3: note: the other one is here
// expected-note@+1 {{the other one is here}}
[[structured::composite("twice"), structured::kernel("thrice", "CPU", "Meta")]]
Tensor twice(const Tensor& self);
// example end

// Near miss: one role in several operators.
[[structured::kernel("half", "CPU", "Meta"), structured::kernel("halve", "CPU", "Meta")]]
Tensor half(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
