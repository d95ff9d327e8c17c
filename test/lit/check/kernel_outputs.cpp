// A returned reference must refer to a parameter.
// Why: A returned `Tensor&` refers to a parameter: to `self` for an in-place kernel, to the last parameters for other
// kernels. These must be mutable.
// Cure: Take `Tensor&` for each output, last, or return `Tensor` by value.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: kernel_outputs.cpp:[[@LINE+5]]:35: error: kernel for `twice.out` returns `Tensor&`, so that `out` is an output, and is `const Tensor&`; expected `Tensor&`, or a result by value [structured-kernel-outputs]
// expected-error@+4 {{kernel for `twice.out` returns `Tensor&`, so that `out` is an output, and is `const Tensor&`; expected `Tensor&`, or a result by value [structured-kernel-outputs]}}
// CHECK: kernel_outputs.cpp:[[@LINE+3]]:1: note: result declared here
// expected-note@+2 {{result declared here}}
[[structured::composite("twice.out")]]
Tensor& twice(const Tensor& self, const Tensor& out);
// example end

// CHECK: kernel_outputs.cpp:[[@LINE+3]]:1: error: kernel for `thrice.out` returns `std::tuple<Tensor&, Tensor&>` and has 1 parameter; expected 2 outputs as its last parameters [structured-kernel-outputs]
// expected-error@+2 {{kernel for `thrice.out` returns `std::tuple<Tensor&, Tensor&>` and has 1 parameter; expected 2 outputs as its last parameters [structured-kernel-outputs]}}
[[structured::composite("thrice.out")]]
std::tuple<Tensor&, Tensor&> thrice(Tensor& out);

// CHECK: kernel_outputs.cpp:[[@LINE+5]]:29: error: kernel for `scale` returns `Tensor&`, so that `factor` is an output, and is `double`; expected `structured::Tensor&`, or the in-place name `scale_` [structured-kernel-outputs]
// expected-error@+4 {{kernel for `scale` returns `Tensor&`, so that `factor` is an output, and is `double`; expected `structured::Tensor&`, or the in-place name `scale_` [structured-kernel-outputs]}}
// CHECK: kernel_outputs.cpp:[[@LINE+3]]:1: note: result declared here
// expected-note@+2 {{result declared here}}
[[structured::composite("scale")]]
Tensor& scale(Tensor& self, double factor);

// Near miss: a mutable argument that is not returned.
[[structured::composite("half")]]
Tensor half(const Tensor& self, Tensor& counter);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
