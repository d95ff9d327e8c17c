// Outputs are constant handles to mutable elements.
// Why: An impl fills tensors that already exist. With `Tensor&` it could replace the handle, which the caller would not
// notice.
// Cure: Take `const Tensor&`: the handle is constant, the elements are not.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("mm", "mm.out")]]
void mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);

// CHECK: impl_output_type.cpp:[[@LINE+3]]:53: error: output `out` of `impl` for `mm.out` is `Tensor&`; expected `const Tensor&` [structured-impl-output-type]
// expected-error@+2 {{output `out` of `impl` for `mm.out` is `Tensor&`; expected `const Tensor&` [structured-impl-output-type]}}
[[structured::impl("mm.out", "CPU")]]
void mm_cpu(const Tensor& self, const Tensor& mat2, Tensor& out);
// example end

// Near miss: a type alias.
using Output = const Tensor&;
[[structured::impl("mm.out", "CUDA")]]
void mm_cuda(const Tensor& self, const Tensor& mat2, Output out);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
