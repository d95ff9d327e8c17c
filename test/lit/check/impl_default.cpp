// Defaults belong to the meta function.
// Why: Defaults come from the meta function. A default on an impl has no effect, although it looks as if it had one.
// Cure: Remove it, or move it to the meta function.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);

// CHECK: impl_default.cpp:[[@LINE+7]]:77: warning: default of `alpha` on an `impl` is ignored; defaults come from `meta` [structured-impl-default]
// expected-warning@+6 {{default of `alpha` on an `impl` is ignored; defaults come from `meta` [structured-impl-default]}}
// CHECK: impl_default.cpp:[[@LINE-4]]:15: note: `meta` parameter declared here
// expected-note@-5 {{`meta` parameter declared here}}
// CHECK: impl_default.cpp:[[@LINE+3]]:100: warning: default of `out` on an `impl` is ignored; defaults come from `meta` [structured-impl-default]
// expected-warning@+2 {{default of `out` on an `impl` is ignored; defaults come from `meta` [structured-impl-default]}}
[[structured::impl("add.out", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Scalar& alpha = 1, const Tensor& out = Tensor());
// example end

// Near miss: defaults of meta functions and kernels.
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, int64_t factor = 2);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 warnings generated.
