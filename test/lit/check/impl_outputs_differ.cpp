// All impls of an operator have the same outputs.
// Why: The impls define the number and the names of an operator's outputs, so all impls must agree.
// Cure: Give all impls the outputs that the message expects.
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

// CHECK: impl_outputs_differ.cpp:[[@LINE+5]]:68: error: `impl` for `mm.out` on `CUDA` names an output `result`; expected `out`, as on `CPU` [structured-impl-outputs-differ]
// expected-error@+4 {{`impl` for `mm.out` on `CUDA` names an output `result`; expected `out`, as on `CPU` [structured-impl-outputs-differ]}}
// CHECK: impl_outputs_differ.cpp:[[@LINE-4]]:53: note: the other output is declared here
// expected-note@-5 {{the other output is declared here}}
[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& result);
// example end

// CHECK: impl_outputs_differ.cpp:[[@LINE+5]]:75: error: `impl` for `mm.out` on `SparseCPU` has 2 outputs; expected 1, as on `CPU` [structured-impl-outputs-differ]
// expected-error@+4 {{`impl` for `mm.out` on `SparseCPU` has 2 outputs; expected 1, as on `CPU` [structured-impl-outputs-differ]}}
// CHECK: impl_outputs_differ.cpp:[[@LINE-12]]:6: note: the other `impl` is declared here
// expected-note@-13 {{the other `impl` is declared here}}
[[structured::impl("mm.out", "SparseCPU")]]
void mm_sparse(const Tensor& self, const Tensor& mat2, const Tensor& out, const Tensor& workspace);

// CHECK: impl_outputs_differ.cpp:[[@LINE+9]]:35: error: `impl` for `max` on `CUDA` has 1 output; expected 2, as on `CPU`, which also has `values` [structured-impl-outputs-differ]
// expected-error@+8 {{`impl` for `max` on `CUDA` has 1 output; expected 2, as on `CPU`, which also has `values` [structured-impl-outputs-differ]}}
// CHECK: impl_outputs_differ.cpp:[[@LINE+5]]:34: note: the additional output is declared here
// expected-note@+4 {{the additional output is declared here}}
[[structured::meta("max")]]
void max_meta(MetaBase& op, const Tensor& self);
[[structured::impl("max", "CPU")]]
void max_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);
[[structured::impl("max", "CUDA")]]
void max_cuda(const Tensor& self, const Tensor& indices);

// Near miss: impls of another operator have different outputs.
[[structured::meta("sort")]]
void sort_meta(MetaBase& op, const Tensor& self);
[[structured::impl("sort", "CPU")]]
void sort_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
