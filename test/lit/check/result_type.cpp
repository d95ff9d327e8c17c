// Result types that the role does not allow.
// Why: The outputs of a meta function or an impl are parameters, not results. A kernel returns values that the caller
// owns, of types that schemas have.
// Cure: Change the result type to the type that the message expects.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: result_type.cpp:[[@LINE+3]]:1: error: `composite` for `twice` returns `IntArrayRef`; expected `std::vector<int64_t>` [structured-result-type]
// expected-error@+2 {{`composite` for `twice` returns `IntArrayRef`; expected `std::vector<int64_t>` [structured-result-type]}}
[[structured::composite("twice")]]
IntArrayRef twice(const Tensor& self);
// example end

// CHECK: result_type.cpp:[[@LINE+3]]:1: error: `meta` for `mm` returns `Tensor`; expected `void`, or a class by value with precomputed values [structured-result-type]
// expected-error@+2 {{`meta` for `mm` returns `Tensor`; expected `void`, or a class by value with precomputed values [structured-result-type]}}
[[structured::meta("mm", "mm.out")]]
Tensor mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
// CHECK: result_type.cpp:[[@LINE+3]]:1: error: `impl` for `mm.out` returns `Tensor`; expected `void`, as outputs are parameters [structured-result-type]
// expected-error@+2 {{`impl` for `mm.out` returns `Tensor`; expected `void`, as outputs are parameters [structured-result-type]}}
[[structured::impl("mm.out", "CPU")]]
Tensor mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);

// A mutable argument beside other results.
// CHECK: result_type.cpp:[[@LINE+3]]:1: error: `composite` for `normalize_` returns `std::tuple<Tensor&, Tensor>`; expected `Tensor`, because a mutable argument is not returned beside other results: callers have it [structured-result-type]
// expected-error@+2 {{`composite` for `normalize_` returns `std::tuple<Tensor&, Tensor>`; expected `Tensor`, because a mutable argument is not returned beside other results: callers have it [structured-result-type]}}
[[structured::composite("normalize_")]]
std::tuple<Tensor&, Tensor> normalize_(Tensor& self);
// CHECK: result_type.cpp:[[@LINE+3]]:1: error: `composite` for `count` returns `std::tuple<Tensor, Tensor&, int64_t>`; expected `std::tuple<Tensor, int64_t>`, because a mutable argument is not returned beside other results: callers have it [structured-result-type]
// expected-error@+2 {{`composite` for `count` returns `std::tuple<Tensor, Tensor&, int64_t>`; expected `std::tuple<Tensor, int64_t>`, because a mutable argument is not returned beside other results: callers have it [structured-result-type]}}
[[structured::composite("count")]]
std::tuple<Tensor, Tensor&, int64_t> count(const Tensor& self, Tensor& counter);

// Near misses: a new result of an in-place operator, and several results of different types.
[[structured::composite("scale_")]]
Tensor scale_(Tensor& self);
[[structured::composite("thrice")]]
std::tuple<Tensor, std::vector<Tensor>, double> thrice(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 5 errors generated.
