// Only tensors can be views of each other.
// Why: An alias set declares that a result shares an argument's memory, so both must be tensors.
// Cure: Move `alias` to the tensor that the result is a view of. In `alias("a", 1)` the second argument is the index of
// a result, counted from 0, which must exist and be a tensor.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: alias_on_non_tensor.cpp:[[@LINE+3]]:36: error: `alias` on `dim`, which is `int64_t`; expected a tensor [structured-alias-on-non-tensor]
// expected-error@+2 {{`alias` on `dim`, which is `int64_t`; expected a tensor [structured-alias-on-non-tensor]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, [[structured::alias("a")]] int64_t dim);
// example end

// CHECK: alias_on_non_tensor.cpp:[[@LINE+5]]:17: error: `alias` on `self` of `kernels::count`, which returns `int64_t`; expected a result that is a view of `self` [structured-alias-on-non-tensor]
// expected-error@+4 {{`alias` on `self` of `kernels::count`, which returns `int64_t`; expected a result that is a view of `self` [structured-alias-on-non-tensor]}}
// CHECK: alias_on_non_tensor.cpp:[[@LINE+3]]:1: note: result declared here
// expected-note@+2 {{result declared here}}
[[structured::composite("count")]]
int64_t count([[structured::alias("a")]] const Tensor& self);

// CHECK: alias_on_non_tensor.cpp:[[@LINE+3]]:40: error: `alias` names result 1 of `kernels::thrice`, which has 1 result, counted from 0 [structured-alias-on-non-tensor]
// expected-error@+2 {{`alias` names result 1 of `kernels::thrice`, which has 1 result, counted from 0 [structured-alias-on-non-tensor]}}
[[structured::composite("thrice")]]
Tensor thrice([[structured::alias("a", 1)]] const Tensor& self);

// Near miss: a list of views.
[[structured::composite("halves")]]
std::vector<Tensor> halves([[structured::alias("a -> *")]] const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
