// One meta function for each operator.
// Why: The meta function defines the schema. Two meta functions could contradict each other.
// Cure: Remove one, or give it another overload name.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);

// CHECK: duplicate_meta.cpp:[[@LINE+4]]:20: error: `mm` is defined again by `kernels::mm_meta_again`; expected one `meta` for each operator [structured-duplicate-meta]
// expected-error@+3 {{`mm` is defined again by `kernels::mm_meta_again`; expected one `meta` for each operator [structured-duplicate-meta]}}
// CHECK: duplicate_meta.cpp:[[@LINE-7]]:20: note: the first one is `kernels::mm_meta`
// expected-note@-8 {{the first one is `kernels::mm_meta`}}
[[structured::meta("aten::mm")]]
void mm_meta_again(MetaBase& op, const Tensor& self, const Tensor& mat2);
// example end

// Near miss: another overload.
[[structured::meta("mm.Scalar")]]
void mm_scalar_meta(MetaBase& op, const Tensor& self, const Scalar& other);
[[structured::impl("mm.Scalar", "CPU")]]
void mm_scalar_cpu(const Tensor& self, const Scalar& other, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
