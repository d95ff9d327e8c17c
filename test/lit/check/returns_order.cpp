// `returns` has the names of the outputs, in another order.
// Why: Results are the outputs of the impl in order, and `returns` renames them. With names of other outputs, `values`
// would hold the indices.
// Cure: List the names in the order of the outputs.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: returns_order.cpp:[[@LINE+2]]:59: error: `returns` names result 0 `indices`, the name of output 1; expected the order of the outputs, `values` and `indices` [structured-returns-order]
// expected-error@+1 {{`returns` names result 0 `indices`, the name of output 1; expected the order of the outputs, `values` and `indices` [structured-returns-order]}}
[[structured::meta("top", "top.out"), structured::returns("indices", "values")]]
void top_meta(MetaBase& op, const Tensor& self);
// CHECK: returns_order.cpp:[[@LINE+3]]:56: note: output 1 is declared here
// expected-note@+2 {{output 1 is declared here}}
[[structured::impl("top.out", "CPU")]]
void top_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
// example end

// CHECK: returns_order.cpp:[[@LINE+4]]:71: error: `returns` names result 0 `b`, the name of output 1; expected the order of the outputs, `a` and `b` [structured-returns-order]
// CHECK: returns_order.cpp:[[@LINE+4]]:71: note: output 1 is declared here
// expected-error@+2 {{`returns` names result 0 `b`, the name of output 1; expected the order of the outputs, `a` and `b` [structured-returns-order]}}
// expected-note@+2 {{output 1 is declared here}}
[[structured::kernel("split.out", "CPU", "Meta"), structured::returns("b", "a")]]
std::tuple<Tensor&, Tensor&> split_out(const Tensor& self, Tensor& a, Tensor& b);

// Near miss: names that no output has.
[[structured::meta("max.dim", "max.dim_max"), structured::returns("values", "indices")]]
void max_meta(MetaBase& op, const Tensor& self);
[[structured::impl("max.dim_max", "CPU")]]
void max_cpu(const Tensor& self, const Tensor& max, const Tensor& max_values);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
