// Emitted code cannot declare a function with a deduced result type.
// Why: Emitted code declares the function again. A result type that is deduced from the body cannot be declared without
// the body.
// Cure: Write the result type, before the name or after `->`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: auto_result.cpp:[[@LINE+3]]:1: error: annotated function `kernels::twice` has a deduced result type, which emitted code cannot declare; write the type [structured-auto-result]
// expected-error@+2 {{annotated function `kernels::twice` has a deduced result type, which emitted code cannot declare; write the type [structured-auto-result]}}
[[structured::composite("twice")]]
auto twice(const Tensor& self) {
  return self;
}
// example end

// Near miss: a trailing result type.
[[structured::composite("thrice")]]
auto thrice(const Tensor& self) -> Tensor;

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
