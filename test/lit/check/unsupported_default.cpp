// Defaults that schemas cannot express.
// Why: Schemas store defaults as values. An expression that is evaluated in each call has no single value.
// Cure: Write a literal or a constant. If the default depends on other arguments, make the argument optional and
// compute the default in the body.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
int64_t compute();
// CHECK: unsupported_default.cpp:[[@LINE+3]]:51: error: the default of `factor` is `compute()`, which a schema cannot express for `int`; expected a literal of that type [structured-unsupported-default]
// expected-error@+2 {{the default of `factor` is `compute()`, which a schema cannot express for `int`; expected a literal of that type [structured-unsupported-default]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, int64_t factor = compute());
// example end

// Near miss: constant expressions.
constexpr int64_t three = 1 + 2;
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, int64_t factor = three, int64_t reduction = Reduction::Mean);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
