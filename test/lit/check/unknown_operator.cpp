// Impls and derivatives of operators that do not exist.
// Why: No operator of that name exists, so the function would silently be left out of the library.
// Cure: Apply the suggestion, or add the source that declares the operator to the library.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Other parts of the library may be in sources that the plugin does not see.
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("add.Tensor", "add_.Tensor", "add.out")]]
void add_meta(TensorIteratorBase& op, const Tensor& self, const Tensor& other,
              [[structured::kwonly]] const Scalar& alpha = 1);
[[structured::impl("add.out", "CPU")]]
void add_cpu(TensorIteratorBase& op, const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

// CHECK: unknown_operator.cpp:[[@LINE+2]]:20: error: `impl` for unknown operator `ad.out`; did you mean `add.out`? [structured-unknown-operator]
// CHECK: unknown_operator.cpp:[[@LINE-6]]:6: note: `add.out` is declared here
[[structured::impl("ad.out", "CUDA")]]
void add_cuda(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);
// example end

// CHECK: unknown_operator.cpp:[[@LINE+1]]:24: error: `backward` for unknown operator `add.Tensr`; did you mean `add.Tensor`? [structured-unknown-operator]
[[structured::backward("add.Tensr")]]
std::tuple<Tensor, Tensor> add_backward(const Tensor& grad);

// The misspelt impl is the only message: without it, the meta function would have its impl.
[[structured::meta("thrice", "thrice.out"), structured::not_differentiable]]
void thrice_meta(MetaBase& op, const Tensor& self);
// CHECK: unknown_operator.cpp:[[@LINE+1]]:20: error: `impl` for unknown operator `thrce.out`; did you mean `thrice.out`? [structured-unknown-operator]
[[structured::impl("thrce.out", "CPU")]]
void thrice_cpu(const Tensor& self, const Tensor& out);

// Near miss: any variant identifies the operator.
[[structured::impl("aten::add_.Tensor", "PrivateUse1")]]
void add_private(const Tensor& self, const Tensor& other, const Scalar& alpha, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
