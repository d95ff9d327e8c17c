// A deleted function cannot be called.
// Why: An operator with a deleted kernel cannot be called.
// Cure: Remove the attribute, or define the function.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: deleted_function.cpp:[[@LINE+3]]:8: error: annotated function `kernels::twice` is deleted; expected a function that can be called [structured-deleted-function]
// expected-error@+2 {{annotated function `kernels::twice` is deleted; expected a function that can be called [structured-deleted-function]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self) = delete;
// example end

// Near miss: another overload is deleted.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);
Tensor thrice(const Scalar& self) = delete;

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
