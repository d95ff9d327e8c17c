// An input and an output with the same name.
// Why: Callers may pass arguments by name, so all arguments of a schema have different names. The output of a scalar
// function is called `out`.
// Cure: Rename one of the two.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::meta("index_fill")]]
WrappedDim index_fill_meta(MetaBase& op, const Tensor& self, int64_t dim);
// CHECK: duplicate_argument.cpp:[[@LINE+5]]:82: error: output `dim` of `impl` for `index_fill` on `CPU` has the name of an input; expected another name [structured-duplicate-argument]
// expected-error@+4 {{output `dim` of `impl` for `index_fill` on `CPU` has the name of an input; expected another name [structured-duplicate-argument]}}
// CHECK: duplicate_argument.cpp:[[@LINE-3]]:62: note: the input is declared here
// expected-note@-4 {{the input is declared here}}
[[structured::impl("index_fill", "CPU")]]
void index_fill_cpu(const Tensor& self, const WrappedDim& wrapped, const Tensor& dim);
// example end

// Near miss: an output may have the name of a member.
[[structured::meta("wrap")]]
WrappedDim wrap_meta(MetaBase& op, const Tensor& self);
[[structured::impl("wrap", "CPU")]]
void wrap_cpu(const Tensor& self, const WrappedDim& wrapped, const Tensor& dim);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
