// Overloads that C++ cannot tell apart.
// Why: Overloads of a base name become C++ overloads, which C++ tells apart by the types of parameters alone.
// Cure: Change the base name or a type.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::composite("flip.dim")]]
Tensor flip(const Tensor& self, int64_t dim);
// CHECK: overload_collision.cpp:[[@LINE+4]]:25: error: `flip.axis` and `flip.dim` are one C++ function, `flip(const structured::Tensor &, long)`; expected different base names or parameter types [structured-overload-collision]
// expected-error@+3 {{`flip.axis` and `flip.dim` are one C++ function, `flip(const structured::Tensor &, long)`; expected different base names or parameter types [structured-overload-collision]}}
// CHECK: overload_collision.cpp:[[@LINE-4]]:25: note: `flip.dim` is declared here
// expected-note@-5 {{`flip.dim` is declared here}}
[[structured::composite("flip.axis")]]
Tensor flip_axis(const Tensor& input, int64_t axis = 0);
// example end

// Near miss: another type, another namespace.
[[structured::composite("flip.dims")]]
Tensor flip_dims(const Tensor& self, IntArrayRef dims);
[[structured::composite("mine::flip.dim")]]
Tensor my_flip(const Tensor& self, int64_t dim);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
