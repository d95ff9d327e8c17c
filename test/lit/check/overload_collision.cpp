// Overloads that C++ cannot distinguish.
// Why: Overloads of a base name become C++ overloads, which differ in parameter types only. The library's functions are
// in its namespace (`structured` here), those of a backend in a namespace below it.
// Cure: Change the base name or a parameter type. Move an annotated function with the same name as its operator to
// another namespace.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::composite("flip.dim")]]
Tensor flip(const Tensor& self, int64_t dim);
// CHECK: overload_collision.cpp:[[@LINE+4]]:25: error: `flip.axis` and `flip.dim` have the same C++ signature, `flip(const structured::Tensor&, int64_t)`; expected different base names or parameter types [structured-overload-collision]
// expected-error@+3 {{`flip.axis` and `flip.dim` have the same C++ signature, `flip(const structured::Tensor&, int64_t)`; expected different base names or parameter types [structured-overload-collision]}}
// CHECK: overload_collision.cpp:[[@LINE-4]]:25: note: `flip.dim` is declared here
// expected-note@-5 {{`flip.dim` is declared here}}
[[structured::composite("flip.axis")]]
Tensor flip_axis(const Tensor& input, int64_t axis = 0);
// example end

// Types that differ only in kernels, and scalar functions.
[[structured::composite("halve.a")]]
Tensor halve_a(const std::optional<Tensor>& self);
// CHECK: [[@LINE+2]]:25: error: `halve.b` and `halve.a` have the same C++ signature, `halve(const std::optional<structured::Tensor>&)`;
// expected-error@+1 {{`halve.b` and `halve.a` have the same C++ signature, `halve(const std::optional<structured::Tensor>&)`;}}
[[structured::composite("halve.b")]]
Tensor halve_b(std::optional<Tensor> self);
// expected-note@-6 {{`halve.a` is declared here}}

// Near miss: different types, different namespaces.
[[structured::composite("flip.dims")]]
Tensor flip_dims(const Tensor& self, IntArrayRef dims);
[[structured::composite("mine::flip.dim")]]
Tensor my_flip(const Tensor& self, int64_t dim);

}  // namespace kernels

namespace structured {

[[structured::composite("twice")]]
// CHECK: [[@LINE+2]]:8: error: `structured::twice` has the name and the parameters of the function emitted for `twice`; expected it in another namespace [structured-overload-collision]
// expected-error@+1 {{`structured::twice` has the name and the parameters of the function emitted for `twice`; expected it in another namespace [structured-overload-collision]}}
Tensor twice(const Tensor& self);
// Parameters by value and by reference: calls are ambiguous.
[[structured::composite("thrice")]]
// expected-error@+1 {{`structured::thrice` has the name and the parameters of the function emitted for `thrice`;}}
Tensor thrice(std::optional<Tensor> self);

namespace cpu {
[[structured::kernel("half", "CPU", "Meta")]]
// CHECK: [[@LINE+2]]:8: error: `structured::cpu::half` has the name and the parameters of the function emitted for `half`;
// expected-error@+1 {{`structured::cpu::half` has the name and the parameters of the function emitted for `half`;}}
Tensor half(const Tensor& self);
}  // namespace cpu

// Near miss: different parameters, a backend without a kernel.
[[structured::kernel("flop.out", "CPU", "Meta")]]
Tensor& flop_out(const Tensor& self, Tensor& out);
namespace cuda {
[[structured::kernel("half.b", "CPU", "Meta")]]
Tensor half(const Tensor& self, int64_t n);
}  // namespace cuda

}  // namespace structured

// CHECK-NOT: {{error|warning}}:
// CHECK: 5 errors generated.
