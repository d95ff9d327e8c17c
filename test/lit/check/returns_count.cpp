// Names of results that do not exist.
// Why: `returns` names all results in order. With a different number, it is unclear which name belongs to which result.
// Cure: Name each result once. The results of a structured operator are the outputs of its impl.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: returns_count.cpp:[[@LINE+4]]:35: error: `returns` has 2 names; expected 1, one for each result [structured-returns-count]
// expected-error@+3 {{`returns` has 2 names; expected 1, one for each result [structured-returns-count]}}
// CHECK: returns_count.cpp:[[@LINE+3]]:1: note: results declared here
// expected-note@+2 {{results declared here}}
[[structured::composite("twice"), structured::returns("a", "b")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: returns_count.cpp:[[@LINE+4]]:29: error: `returns` has 1 name; expected 2, one for each result [structured-returns-count]
// expected-error@+3 {{`returns` has 1 name; expected 2, one for each result [structured-returns-count]}}
// CHECK: returns_count.cpp:[[@LINE+5]]:6: note: the outputs of this `impl` are the results
// expected-note@+4 {{the outputs of this `impl` are the results}}
[[structured::meta("sort"), structured::returns("values")]]
void sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

// Near miss: the first name identifies a variant.
[[structured::meta("topk", "topk.values"), structured::returns("topk.values", "v", "i")]]
void topk_meta(MetaBase& op, const Tensor& self);
[[structured::impl("topk.values", "CPU")]]
void topk_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
