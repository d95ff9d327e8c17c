// All parameters after the first `kwonly` are keyword-only.
// Why: `kwonly` applies to its parameter and to all later ones. A second `kwonly` has no effect.
// Cure: Keep `kwonly` on the first keyword-only parameter only.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: duplicate_kwonly.cpp:[[@LINE+5]]:67: error: `kwonly` on `b`, which is keyword-only already; remove it [structured-duplicate-kwonly]
// expected-error@+4 {{`kwonly` on `b`, which is keyword-only already; remove it [structured-duplicate-kwonly]}}
// CHECK: duplicate_kwonly.cpp:[[@LINE+3]]:36: note: all parameters from here on are keyword-only
// expected-note@+2 {{all parameters from here on are keyword-only}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, [[structured::kwonly]] bool a, [[structured::kwonly]] bool b);
// example end

// Near miss: `kwonly` on one parameter.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::kwonly]] bool a, bool b);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
