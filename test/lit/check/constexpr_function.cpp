// A constexpr function is inline.
// Why: `constexpr` and `consteval` make a function inline, so the object file may contain no definition to link to.
// Cure: Remove `constexpr`. Move computations that must happen at compile time to a helper function.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: constexpr_function.cpp:[[@LINE+3]]:19: error: annotated function `kernels::count` is `constexpr` and therefore inline, so emitted code may find no definition to link to; remove `constexpr` [structured-constexpr-function]
// expected-error@+2 {{annotated function `kernels::count` is `constexpr` and therefore inline, so emitted code may find no definition to link to; remove `constexpr` [structured-constexpr-function]}}
[[structured::composite("count")]]
constexpr int64_t count(const Tensor& self) {
  return 1;
}
// example end

// Near miss: a constant result of a function that is not `constexpr`.
[[structured::composite("size")]]
int64_t size(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
