// Emitted code cannot link to functions in an unnamed namespace.
// Why: Emitted code is compiled separately and links to the function by name. A function in an unnamed namespace is not
// visible to it.
// Cure: Move the function out of the unnamed namespace, or name the namespace. Helper functions may stay in it.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
namespace {
// CHECK: unnamed_namespace.cpp:[[@LINE+3]]:8: error: annotated function `kernels::(anonymous namespace)::twice` is in an unnamed namespace, so emitted code cannot link to it; give the namespace a name [structured-unnamed-namespace]
// expected-error@+2 {{annotated function `kernels::(anonymous namespace)::twice` is in an unnamed namespace, so emitted code cannot link to it; give the namespace a name [structured-unnamed-namespace]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self) {
  return self;
}
}  // namespace
// example end

// Near miss: an inline namespace has a name.
inline namespace v1 {
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);
}  // namespace v1

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
