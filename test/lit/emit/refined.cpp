// Refined tensors: wrappers check them once, before meta; the schema does not mention them.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen list --namespace=acme %t/a.json | FileCheck %s --check-prefix=SCHEMA
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/src/refined.cpp
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %t/out/shared_bodies.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
#include <structured/kernel/meta_base.h>
#include <structured/kernel/refined.h>

namespace acme::kernels {

[[structured::meta("trace", "trace.out")]]
void trace_meta(structured::MetaBase& op, structured::DenseTensor<structured::BFloat16, 2> self) {}
[[structured::impl("trace.out", "CPU")]]
void trace_cpu(structured::RankedTensor<2> self, const structured::Tensor& out) {}

[[structured::kernel("rows", "CPU", "Meta")]]
structured::Tensor rows([[structured::alias("a")]] structured::RankedTensor<2> self) {
  return *self;
}

[[structured::meta("dot")]]
void dot_meta(structured::MetaBase& op, [[structured::requires("float", "rank 1")]] const structured::Tensor& self,
              [[structured::requires("contiguous", "CPU")]] structured::RefinedTensor<float> other) {}
[[structured::impl("dot", "CPU")]]
void dot_cpu(structured::RefinedTensor<float, 1> self, structured::DenseTensor<float> other,
             const structured::Tensor& out) {}

}  // namespace acme::kernels

// SCHEMA: dot(Tensor self, Tensor other) -> Tensor
// SCHEMA-NEXT: dot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
// SCHEMA-NEXT: rows(Tensor(a) self) -> Tensor(a)
// SCHEMA-NEXT: trace(Tensor self) -> Tensor
// SCHEMA-NEXT: trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)

// CHECK: #include <structured/kernel/refined.h>
// CHECK: Tensor wrapper_cpu_dot(const ::structured::Tensor& self, const ::structured::Tensor& other) {
// CHECK: ::structured::check_refined<::structured::RefinedTensor<float, 1>>("dot", "self", self);
// CHECK-NEXT: ::structured::check_refined<::structured::RefinedTensor<float, -1, true>>("dot", "other", other);
// CHECK-NEXT: ::structured::Functional<::structured::MetaBase, 1> op;
// CHECK-NEXT: ::acme::kernels::dot_meta(op, self, other);
// CHECK-NEXT: ::acme::kernels::dot_cpu(self, other, op.output(0));
// CHECK: Tensor wrapper_cpu_rows(const ::structured::Tensor& self) {
// CHECK-NEXT: ::structured::check_refined<::structured::RefinedTensor<void, 2>>("rows", "self", self);
// CHECK-NEXT: return ::acme::kernels::rows(self);
// CHECK: Tensor wrapper_cpu_trace(const ::structured::Tensor& self) {
// CHECK-NEXT: ::structured::check_refined<::structured::RefinedTensor<::structured::BFloat16, 2, true>>("trace", "self", self);
// CHECK-NEXT: ::structured::Functional<::structured::MetaBase, 1> op;
// CHECK-NEXT: ::acme::kernels::trace_meta(op, self);
// CHECK-NEXT: ::acme::kernels::trace_cpu(self, op.output(0));
// CHECK: Tensor wrapper_meta_trace(const ::structured::Tensor& self) {
// CHECK-NEXT: ::structured::check_refined<
// CHECK: struct prepared_wrapper_cpu_trace_out {
// CHECK: begin(
// CHECK: ::structured::check_refined<
// CHECK: run(
// CHECK-NOT: check_refined
// CHECK: ::acme::kernels::trace_cpu(self, op.output(0));
// CHECK-NEXT: op.finish();
