// A CUDA source is compiled for host and device; errors are reported once, for the host.
//
// RUN: not %clangxx -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version -fplugin=%plugin -I%S/../Inputs -fsyntax-only %s > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not=warning:

#include "mock.h"

__attribute__((global)) void device_function(float* data) { *data = 0; }

namespace demo {
// CHECK-COUNT-1: error: unknown attribute `structured::kernl`
[[structured::kernl("g", "CUDA")]] void g();
// CHECK-COUNT-1: error: parameter `n` is `int`
// CHECK-NOT:     error: parameter `n` is `int`
[[structured::kernel("f", "CUDA", "Meta")]] structured::Tensor f(const structured::Tensor& self, int n);
}  // namespace demo
