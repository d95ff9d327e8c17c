// Attributes that do not apply to the role of the function.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+4]]:3: error: `method` does not apply to `kernels::no_operator`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one [structured-misplaced-attribute]
// expected-error@+3 {{`method` does not apply to `kernels::no_operator`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one [structured-misplaced-attribute]}}
// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+3]]:42: error: `kwonly` does not apply to `kernels::no_operator`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one [structured-misplaced-attribute]
// expected-error@+2 {{`kwonly` does not apply to `kernels::no_operator`, which has no role; add `meta`, `impl`, `kernel` or another attribute that gives it one [structured-misplaced-attribute]}}
[[structured::method]]
Tensor no_operator(const Tensor& self, [[structured::kwonly]] bool flag);

[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+4]]:38: error: `tags` does not apply to an `impl`; it belongs on the operator's `meta` [structured-misplaced-attribute]
// expected-error@+3 {{`tags` does not apply to an `impl`; it belongs on the operator's `meta` [structured-misplaced-attribute]}}
// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+3]]:35: error: `kwonly` does not apply to a parameter of an `impl`; it belongs on the operator's `meta` [structured-misplaced-attribute]
// expected-error@+2 {{`kwonly` does not apply to a parameter of an `impl`; it belongs on the operator's `meta` [structured-misplaced-attribute]}}
[[structured::impl("mm.out", "CPU"), structured::tags("core")]]
void mm_cpu(const Tensor& self, [[structured::kwonly]] const Tensor& mat2, const Tensor& out);

// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+4]]:31: error: `returns` does not apply to a `backward` [structured-misplaced-attribute]
// expected-error@+3 {{`returns` does not apply to a `backward` [structured-misplaced-attribute]}}
// CHECK: misplaced_attribute_in_role.cpp:[[@LINE+3]]:42: error: `alias` does not apply to a parameter of a `backward` [structured-misplaced-attribute]
// expected-error@+2 {{`alias` does not apply to a parameter of a `backward` [structured-misplaced-attribute]}}
[[structured::backward("mm"), structured::returns("self", "mat2")]]
std::tuple<Tensor, Tensor> mm_backward([[structured::alias("a")]] const Tensor& grad);

// Near miss: `dtypes` on an impl.
[[structured::impl("mm.out", "CUDA"), structured::dtypes("CUDA", "floating")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 6 errors generated.
