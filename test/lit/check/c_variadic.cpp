// Schemas have no variadic arguments.
// Why: A schema lists every argument with its type. Arguments passed through `...` have none.
// Cure: Declare a parameter for each argument, or take a list.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: c_variadic.cpp:[[@LINE+3]]:14: error: annotated function `kernels::twice` takes `...`, which a schema cannot express; declare every parameter [structured-c-variadic]
// expected-error@+2 {{annotated function `kernels::twice` takes `...`, which a schema cannot express; declare every parameter [structured-c-variadic]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, ...);
// example end

// Near miss: a list.
[[structured::composite("thrice")]]
Tensor thrice(TensorList tensors);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
