// Impls that resize outputs sized by meta.
// Why: The meta function determines the size; callers, the Meta backend and the other backends rely on it. An impl that
// resizes an output makes the shape depend on the backend.
// Cure: Compute the size in the meta function and pass it to `set_output_raw_strided`. Use a temporary tensor if the
// impl needs more space.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

void resize_output(const Tensor& out, IntArrayRef sizes);
#define STRUCTURED_CHECK(condition, ...) \
  do {                                   \
    if (!(condition)) throw __VA_ARGS__; \
  } while (false)
// example begin
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);

[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
// CHECK: impl_resizes_output.cpp:[[@LINE+4]]:3: error: `impl` `kernels::mm_cpu` resizes its output, whose size `meta` sets; use the output as it is [structured-impl-resizes-output]
// expected-error@+3 {{`impl` `kernels::mm_cpu` resizes its output, whose size `meta` sets; use the output as it is [structured-impl-resizes-output]}}
// CHECK: impl_resizes_output.cpp:[[@LINE-3]]:67: note: output `out` declared here
// expected-note@-4 {{output `out` declared here}}
  resize_output(out, {});
}
// example end

// Near miss: a temporary.
[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  Tensor workspace;
  resize_output(workspace, {});
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
