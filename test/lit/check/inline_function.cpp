// Object files need not contain the definition of an inline function.
// Why: A compiler may omit an inline function from the object file if no code in that source calls it; linking then
// fails.
// Cure: Remove `inline`, and define the function in a source file instead of a header.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: inline_function.cpp:[[@LINE+3]]:15: error: annotated function `kernels::twice` is `inline`, so emitted code may find no definition to link to; remove `inline` [structured-inline-function]
// expected-error@+2 {{annotated function `kernels::twice` is `inline`, so emitted code may find no definition to link to; remove `inline` [structured-inline-function]}}
[[structured::composite("twice")]]
inline Tensor twice(const Tensor& self) {
  return self;
}
// example end

// Near miss: an inline helper, called by the operator.
inline Tensor helper(const Tensor& self) { return self; }
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
