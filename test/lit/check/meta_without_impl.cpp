// Meta functions without an impl.
// Why: The operator has a schema and shapes, but every call with data fails. This can be intended while the operator is
// being written.
// Cure: Write an impl for at least one backend, or add the source that defines it.
// RUN: %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// Other parts of the library may be in sources that the plugin does not see.
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: meta_without_impl.cpp:[[@LINE+1]]:20: warning: `meta` for `mm` has no `impl`, so the operator computes shapes only; expected an `impl` for at least one backend [structured-meta-without-impl]
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
// example end

// Near miss: a kernel for one variant.
[[structured::meta("bmm")]]
void bmm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::kernel("bmm", "SparseCPU")]]
Tensor bmm_sparse(const Tensor& self, const Tensor& mat2);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 warning generated.
