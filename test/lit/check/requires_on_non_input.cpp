// Properties that `requires` states of a parameter that is not an input tensor.
// Why: Wrappers check properties of the tensors that callers pass. Outputs are as the meta function describes them.
// Cure: Move `requires` to a parameter of type `const Tensor&`, or remove it.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: requires_on_non_input.cpp:[[@LINE+3]]:38: error: `requires` on `dim`, which is `int64_t`; expected a tensor [structured-requires-on-non-input]
// expected-error@+2 {{`requires` on `dim`, which is `int64_t`; expected a tensor [structured-requires-on-non-input]}}
[[structured::kernel("length", "CPU", "Meta")]]
int64_t length(const Tensor& self, [[structured::requires("contiguous")]] int64_t dim);
// example end

[[structured::meta("trace", "trace.out")]]
void trace_meta(MetaBase& op, [[structured::requires("rank 2")]] const Tensor& self);

// CHECK: requires_on_non_input.cpp:[[@LINE+3]]:40: error: `requires` on `out`, an output, which is as `meta` describes it [structured-requires-on-non-input]
// expected-error@+2 {{`requires` on `out`, an output, which is as `meta` describes it [structured-requires-on-non-input]}}
[[structured::impl("trace.out", "CPU")]]
void trace_cpu(RankedTensor<2> self, [[structured::requires("contiguous")]] const Tensor& out);

// Near miss: a mutable tensor is an input of a kernel.
[[structured::kernel("fill_", "CPU", "Meta")]]
Tensor& fill_([[structured::requires("float", "rank 1")]] Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
