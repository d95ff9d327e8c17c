// `out` is for mutable lists that are not returned.
// Why: `out` declares the trailing mutable lists of a kernel without results to be its outputs. Other outputs follow
// from C++ types alone.
// Cure: Remove `out`, or return `void` and mark the last lists `alias("a!")`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: out_attribute.cpp:[[@LINE+4]]:39: error: `out` on `kernels::twice`, which returns `Tensor`; expected `void`, because `out` declares mutable lists, which are not returned [structured-out-attribute]
// expected-error@+3 {{`out` on `kernels::twice`, which returns `Tensor`; expected `void`, because `out` declares mutable lists, which are not returned [structured-out-attribute]}}
// CHECK: out_attribute.cpp:[[@LINE+3]]:1: note: result declared here
// expected-note@+2 {{result declared here}}
[[structured::composite("twice.out"), structured::out]]
Tensor twice(const Tensor& self, [[structured::alias("a!")]] TensorList out);
// example end

// CHECK: out_attribute.cpp:[[@LINE+2]]:40: error: `out` on `kernels::thrice`, whose last parameter is not a mutable list; expected a list marked `alias("a!")` [structured-out-attribute]
// expected-error@+1 {{`out` on `kernels::thrice`, whose last parameter is not a mutable list; expected a list marked `alias("a!")` [structured-out-attribute]}}
[[structured::composite("thrice.out"), structured::out]]
void thrice(const Tensor& self, TensorList out);

// Near miss: correct use.
[[structured::composite("half.out"), structured::out]]
void half(const Tensor& self, [[structured::alias("a!")]] TensorList out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
