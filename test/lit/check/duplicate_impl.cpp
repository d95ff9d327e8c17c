// One implementation for each backend.
// Why: A call runs one function. Which of two functions it runs would depend on the order of the sources.
// Cure: Remove one of the functions, or give it another backend.
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

// CHECK: duplicate_impl.cpp:[[@LINE+4]]:34: error: `impl` for `mm` on `CPU` is a duplicate; expected one function for each backend [structured-duplicate-impl]
// expected-error@+3 {{`impl` for `mm` on `CPU` is a duplicate; expected one function for each backend [structured-duplicate-impl]}}
// CHECK: duplicate_impl.cpp:[[@LINE-5]]:30: note: the first one is `kernels::mm_cpu`
// expected-note@-6 {{the first one is `kernels::mm_cpu`}}
[[structured::impl("mm", "CUDA", "CPU")]]
void mm_both(const Tensor& self, const Tensor& mat2, const Tensor& out);
// example end

[[structured::kernel("twice", "CPU", "Meta")]]
Tensor twice(const Tensor& self);
// CHECK: duplicate_impl.cpp:[[@LINE+4]]:31: error: `kernel` for `twice` on `Meta` is a duplicate; expected one function for each backend [structured-duplicate-impl]
// expected-error@+3 {{`kernel` for `twice` on `Meta` is a duplicate; expected one function for each backend [structured-duplicate-impl]}}
// CHECK: duplicate_impl.cpp:[[@LINE-4]]:38: note: the first one is `kernels::twice`
// expected-note@-5 {{the first one is `kernels::twice`}}
[[structured::kernel("twice", "Meta")]]
Tensor twice_meta(const Tensor& self);

// Near miss: different backends, different operators.
[[structured::kernel("half", "CPU")]]
Tensor half(const Tensor& self);
[[structured::kernel("half", "CUDA", "Meta")]]
Tensor half_cuda(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
