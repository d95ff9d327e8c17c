// Impls that assign to the handle instead of writing elements.
// Why: `out` is a handle to the tensor to write. An assignment makes the handle refer to another tensor and leaves the
// caller's tensor unchanged.
// Cure: Write the elements: call `out.copy_(...)`, call an out variant that takes `out`, or loop over its data.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);

[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
// CHECK: impl_assigns_output.cpp:[[@LINE+4]]:3: error: `impl` `kernels::mm_cpu` assigns to its output's handle, which leaves the caller's tensor unchanged; write its elements instead [structured-impl-assigns-output]
// expected-error@+3 {{`impl` `kernels::mm_cpu` assigns to its output's handle, which leaves the caller's tensor unchanged; write its elements instead [structured-impl-assigns-output]}}
// CHECK: impl_assigns_output.cpp:[[@LINE-3]]:67: note: output `out` declared here
// expected-note@-4 {{output `out` declared here}}
  const_cast<Tensor&>(out) = self;
}
// example end

// Near miss: a copy of the handle.
[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor result = out;
  result = self;
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
