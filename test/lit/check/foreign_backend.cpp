// Kernels for backends that the library does not support.
// Why: A library of kernels for one device should not define kernels for another device by mistake: they would clash
// with the library that defines those on purpose.
// Cure: Move the kernel to another library, or add its backend to `BACKENDS` of `structured_add_library`
// (`--backends`).
// RUN: not %structured_gen check --backends=PrivateUse1,Meta %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: not %structured_gen check --backends=PrivateUse1 --backends=Meta %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Without the option, all backends are allowed.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
// CHECK: foreign_backend.cpp:[[@LINE+1]]:45: error: `impl` for `mm.out` on `CUDA`, which is not a backend of this library; expected `PrivateUse1` or `Meta` [structured-foreign-backend]
[[structured::impl("mm.out", "PrivateUse1", "CUDA")]]
void mm_device(const Tensor& self, const Tensor& mat2, const Tensor& out);
// example end

// CHECK: foreign_backend.cpp:[[@LINE+1]]:31: error: `kernel` for `twice` on `CPU`, which is not a backend of this library
[[structured::kernel("twice", "CPU", "Meta")]]
Tensor twice(const Tensor& self);

// Near miss: a composite kernel supports all backends, including these.
[[structured::composite("half")]]
Tensor half(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
