// Emitted code cannot link to a static function.
// Why: Emitted code is compiled separately and links to the function by name. A function with internal linkage is not
// visible to it.
// Cure: Remove `static`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: static_function.cpp:[[@LINE+3]]:15: error: annotated function `kernels::twice` is `static`, so emitted code cannot link to it; remove `static` [structured-static-function]
// expected-error@+2 {{annotated function `kernels::twice` is `static`, so emitted code cannot link to it; remove `static` [structured-static-function]}}
[[structured::composite("twice")]]
static Tensor twice(const Tensor& self) {
  return self;
}
// example end

// Near miss: explicit external linkage.
[[structured::composite("thrice")]]
extern Tensor thrice(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
