// A name identifies one operator.
// Why: A name identifies one operator. A second operator with that name could never be called.
// Cure: Choose another overload name for one of them.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add.out")]]
void add_meta(MetaBase& op, const Tensor& self, const Tensor& other);
[[structured::impl("add.Tensor", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& other, const Tensor& out);

// CHECK: duplicate_schema.cpp:[[@LINE+4]]:34: error: `add.out`, a variant of `add.Scalar`, is also a variant of `add.Tensor`; expected another overload name [structured-duplicate-schema]
// expected-error@+3 {{`add.out`, a variant of `add.Scalar`, is also a variant of `add.Tensor`; expected another overload name [structured-duplicate-schema]}}
// CHECK: duplicate_schema.cpp:[[@LINE-7]]:34: note: the other operator is declared here
// expected-note@-8 {{the other operator is declared here}}
[[structured::meta("add.Scalar", "add.out")]]
void add_scalar_meta(MetaBase& op, const Tensor& self, const Scalar& other);
[[structured::impl("add.Scalar", "CPU")]]
void add_scalar_cpu(const Tensor& self, const Scalar& other, const Tensor& out);
// example end

// Near miss: an unnamed out variant gets its name from the overload.
[[structured::meta("add.List")]]
void add_list_meta(MetaBase& op, TensorList self);
[[structured::impl("add.List", "CPU")]]
void add_list_cpu(TensorList self, const Tensor& out);

// CHECK: duplicate_schema.cpp:[[@LINE+4]]:66: error: `sum.out`, a variant of `sum`, is also another operator [structured-duplicate-schema]
// expected-error@+3 {{`sum.out`, a variant of `sum`, is also another operator [structured-duplicate-schema]}}
// CHECK: duplicate_schema.cpp:[[@LINE+4]]:3: note: the other operator is declared here
// expected-note@+3 {{the other operator is declared here}}
[[structured::kernel("sum", "CPU", "Meta"), structured::variants("sum.out")]]
Tensor sum(const Tensor& self);
[[structured::kernel("sum.out", "CPU", "Meta")]]
Tensor& sum_out(const Tensor& self, Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
