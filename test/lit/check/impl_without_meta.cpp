// Impls of operators without a meta function.
// Why: An impl only computes. Without a meta function its outputs are never allocated, and the operator has no schema.
// Cure: Write the meta function, or mark the function `kernel` and return the result.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Other parts of the library may be in sources that the plugin does not see.
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: impl_without_meta.cpp:[[@LINE+1]]:20: error: `impl` for `convolution.out` has no `meta`; expected a function marked `meta("convolution.out")` [structured-impl-without-meta]
[[structured::impl("convolution.out", "CPU")]]
void convolution_cpu(const Tensor& input, const Tensor& out);
// example end

[[structured::composite("view")]]
Tensor view(const Tensor& self);
// CHECK: impl_without_meta.cpp:[[@LINE+2]]:20: error: `impl` for `view` has no `meta`; expected a function marked `meta("view")` [structured-impl-without-meta]
// CHECK: impl_without_meta.cpp:[[@LINE-3]]:3: note: the operator is declared by `composite` here
[[structured::impl("view", "CUDA")]]
void view_cuda(const Tensor& self, const Tensor& out);

// Near miss: the implied out variant.
[[structured::meta("relu")]]
void relu_meta(MetaBase& op, const Tensor& self);
[[structured::impl("relu.out", "CPU")]]
void relu_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
