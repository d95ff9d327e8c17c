// Preconditions on shapes that only an impl checks.
// Why: The Meta backend runs only the meta function. If only an impl rejects a shape or dtype, a dry run succeeds where
// the real call fails, and every backend has to repeat the check.
// Cure: Move the check to the meta function. Checks of values, of the machine, or of limits of one backend belong in
// the impl and are not reported.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
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
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2) {
  STRUCTURED_CHECK(self.dim() == 2, "mm: expected a matrix");
  op.set_output_raw_strided(0, {}, {}, {});
}
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out) {
// CHECK: impl_precondition.cpp:[[@LINE+4]]:20: warning: `impl` `kernels::mm_cpu` checks shapes or dtypes that `meta` does not check, so the Meta backend accepts them; move the check to `meta` [structured-impl-precondition]
// expected-warning@+3 {{`impl` `kernels::mm_cpu` checks shapes or dtypes that `meta` does not check, so the Meta backend accepts them; move the check to `meta` [structured-impl-precondition]}}
// CHECK: impl_precondition.cpp:[[@LINE-8]]:6: note: `meta` declared here
// expected-note@-9 {{`meta` declared here}}
  STRUCTURED_CHECK(mat2.dim() == 2, "mm: expected a matrix");
}
// example end

// Near misses: a precondition that the meta function checks too, and one on the machine.
bool is_supported();
[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  STRUCTURED_CHECK(self.dim() == 2, "mm: expected a matrix");
  STRUCTURED_CHECK(is_supported(), "mm: this machine has no such unit");
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 warning generated.
