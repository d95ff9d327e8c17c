// Consistency of kernels with the schema of a structured operator, and with each other.
// Why: All kernels of an operator are called through one schema. A kernel with another signature would receive the
// wrong arguments.
// Cure: Match the signature of the schema, or of the other kernels, or choose another overload name.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

// CHECK: kernel_mismatch.cpp:[[@LINE+5]]:60: error: kernel for `add.Tensor` takes `double` where its schema has `const Scalar&` [structured-kernel-mismatch]
// expected-error@+4 {{kernel for `add.Tensor` takes `double` where its schema has `const Scalar&` [structured-kernel-mismatch]}}
// CHECK: kernel_mismatch.cpp:[[@LINE-6]]:15: note: argument declared here
// expected-note@-7 {{argument declared here}}
[[structured::kernel("add.Tensor", "SparseCPU")]]
Tensor add_sparse(const Tensor& self, const Tensor& other, double alpha);
// CHECK: kernel_mismatch.cpp:[[@LINE+9]]:1: error: kernel for `add_.Tensor` returns `Tensor`; expected 1 tensor by reference [structured-kernel-mismatch]
// expected-error@+8 {{kernel for `add_.Tensor` returns `Tensor`; expected 1 tensor by reference [structured-kernel-mismatch]}}
// CHECK: kernel_mismatch.cpp:[[@LINE-13]]:6: note: the operator is declared here
// expected-note@-14 {{the operator is declared here}}
// CHECK: kernel_mismatch.cpp:[[@LINE+5]]:48: error: kernel for `add_.Tensor` names an argument `b`; expected `other` [structured-kernel-mismatch]
// expected-error@+4 {{kernel for `add_.Tensor` names an argument `b`; expected `other` [structured-kernel-mismatch]}}
// CHECK: kernel_mismatch.cpp:[[@LINE-17]]:59: note: argument declared here
// expected-note@-18 {{argument declared here}}
[[structured::kernel("add_.Tensor", "SparseCPU")]]
Tensor add_sparse_(Tensor& self, const Tensor& b, const Scalar& alpha);
// example end

[[structured::kernel("flip", "CPU")]]
Tensor flip_cpu(const Tensor& self, [[structured::size(1)]] IntArrayRef dims = 0);
// CHECK: kernel_mismatch.cpp:[[@LINE+5]]:38: error: kernel for `flip` has nothing on `dims`; expected `size(1), default 0`, as on `CPU` [structured-kernel-mismatch]
// expected-error@+4 {{kernel for `flip` has nothing on `dims`; expected `size(1), default 0`, as on `CPU` [structured-kernel-mismatch]}}
// CHECK: kernel_mismatch.cpp:[[@LINE-3]]:37: note: the other kernel is declared here
// expected-note@-4 {{the other kernel is declared here}}
[[structured::kernel("flip", "CUDA")]]
Tensor flip_cuda(const Tensor& self, IntArrayRef dims);
// CHECK: kernel_mismatch.cpp:[[@LINE+5]]:1: error: kernel for `flip` returns `std::vector<Tensor>`; expected `Tensor`, as on `CPU` [structured-kernel-mismatch]
// expected-error@+4 {{kernel for `flip` returns `std::vector<Tensor>`; expected `Tensor`, as on `CPU` [structured-kernel-mismatch]}}
// CHECK: kernel_mismatch.cpp:[[@LINE-9]]:1: note: the other kernel is declared here
// expected-note@-10 {{the other kernel is declared here}}
[[structured::kernel("flip", "Meta")]]
std::vector<Tensor> flip_meta(const Tensor& self, [[structured::size(1)]] IntArrayRef dims = 0);

// Near miss: only the meta function has `size`, `kwonly` and defaults of a structured operator.
[[structured::kernel("add.Tensor", "QuantizedCPU")]]
Tensor add_quantized(const Tensor& self, const Tensor& other, const Scalar& alpha);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 5 errors generated.
