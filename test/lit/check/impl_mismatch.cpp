// Consistency of impls with their meta functions: number, order, types and names of parameters.
// Why: Emitted code calls the impl with the arguments that the meta function declares. Names must match too, because
// two arguments of the same type are easily swapped.
// Cure: Repeat the meta function's parameters after the base, in order, then the outputs. `structured-gen check --fix`
// makes this edit.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:58: error: `impl` for `add.out` takes `double` where `meta` takes `const Scalar&` [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` takes `double` where `meta` takes `const Scalar&` [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-4]]:15: note: `meta` parameter declared here
// expected-note@-5 {{`meta` parameter declared here}}
[[structured::impl("add.out", "CPU")]]
void wrong_type(const Tensor& self, const Tensor& other, double alpha, const Tensor& out);
// example end

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:51: error: `impl` for `add.out` names a parameter `b`; expected `other` [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` names a parameter `b`; expected `other` [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-13]]:59: note: `meta` parameter declared here
// expected-note@-14 {{`meta` parameter declared here}}
[[structured::impl("add.out", "CUDA")]]
void wrong_name(const Tensor& self, const Tensor& b, const Scalar& alpha, const Tensor& out);

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:18: error: `impl` for `add.out` takes `other` where `meta` takes `self`; expected the parameter order of `meta` [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` takes `other` where `meta` takes `self`; expected the parameter order of `meta` [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-20]]:39: note: `meta` parameter declared here
// expected-note@-21 {{`meta` parameter declared here}}
[[structured::impl("add.out", "QuantizedCPU")]]
void wrong_order(const Tensor& other, const Tensor& self, const Scalar& alpha, const Tensor& out);

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:6: error: `impl` for `add.out` does not take `const Scalar& alpha`, which `meta` takes [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` does not take `const Scalar& alpha`, which `meta` takes [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-26]]:15: note: `meta` parameter declared here
// expected-note@-27 {{`meta` parameter declared here}}
[[structured::impl("add.out", "SparseCPU")]]
void missing(const Tensor& self, const Tensor& other, const Tensor& out);

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:58: error: `impl` for `add.out` takes `int64_t dim`, which `meta` does not take [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` takes `int64_t dim`, which `meta` does not take [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-34]]:15: note: `meta` parameters declared here
// expected-note@-35 {{`meta` parameters declared here}}
[[structured::impl("add.out", "PrivateUse1")]]
void additional(const Tensor& self, const Tensor& other, int64_t dim, const Scalar& alpha, const Tensor& out);

// CHECK: impl_mismatch.cpp:[[@LINE+5]]:17: error: `impl` for `add.out` takes `MetaBase&` where `meta` takes `TensorIteratorBase&` [structured-impl-mismatch]
// expected-error@+4 {{`impl` for `add.out` takes `MetaBase&` where `meta` takes `TensorIteratorBase&` [structured-impl-mismatch]}}
// CHECK: impl_mismatch.cpp:[[@LINE-41]]:15: note: `meta` parameter declared here
// expected-note@-42 {{`meta` parameter declared here}}
[[structured::impl("add.out", "PrivateUse2")]]
void wrong_base(MetaBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

// CHECK: impl_mismatch.cpp:[[@LINE+3]]:6: error: `impl` for `add.out` has no output; expected `const structured::Tensor& out` as its last parameter [structured-impl-mismatch]
// expected-error@+2 {{`impl` for `add.out` has no output; expected `const structured::Tensor& out` as its last parameter [structured-impl-mismatch]}}
[[structured::impl("add.out", "PrivateUse3")]]
void no_output(const Tensor& self, const Tensor& other, const Scalar& alpha);

// Near miss: different spellings of the same types, and an impl without the base.
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
using Matrix = Tensor;
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Matrix& self, structured::Tensor const& mat2, const Tensor& result);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 7 errors generated.
