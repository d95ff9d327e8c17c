// Backends that do not exist.
// Why: No tensor has this backend, so the kernel would never run.
// Cure: Write one of the backends listed in [annotations.md](annotations.md).
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: unknown_backend.cpp:[[@LINE+2]]:38: error: unknown backend `Cuda`; did you mean `CUDA`? [structured-unknown-backend]
// expected-error@+1 {{unknown backend `Cuda`; did you mean `CUDA`? [structured-unknown-backend]}}
[[structured::kernel("twice", "CPU", "Cuda", "Meta")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: unknown_backend.cpp:[[@LINE+2]]:32: error: unknown backend `Abacus` [structured-unknown-backend]
// expected-error@+1 {{unknown backend `Abacus` [structured-unknown-backend]}}
[[structured::kernel("thrice", "Abacus", "Meta")]]
Tensor thrice(const Tensor& self);

[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
// CHECK: unknown_backend.cpp:[[@LINE+2]]:37: error: `impl` for the backend `Meta`; remove it, because the `meta` function is the kernel for `Meta` [structured-unknown-backend]
// expected-error@+1 {{`impl` for the backend `Meta`; remove it, because the `meta` function is the kernel for `Meta` [structured-unknown-backend]}}
[[structured::impl("mm.out", "CPU", "Meta")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);

// Near miss: all backends that exist.
[[structured::kernel("half", "CPU", "CUDA", "Meta", "QuantizedCPU", "SparseCPU", "PrivateUse1", "PrivateUse2",
                     "PrivateUse3")]]
Tensor half(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
