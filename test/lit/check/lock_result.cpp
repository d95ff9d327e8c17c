// The results differ from the locked ones.
// Why: Callers rely on the number and the types of the results.
// Cure: Keep the results, or add an operator with the new ones. Accept an intended change with `--update-lock`.
// RUN: split-file %s %t
// RUN: %structured_gen check --lock=%t/operators.lock --update-lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: not %structured_gen check --lock=%t/operators.lock %t/after.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The locked sources match their lock file.
// RUN: %structured_gen check --lock=%t/operators.lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0

// CHECK: after.cpp:4:59: error: the results of `f` changed from `Tensor` to `(Tensor, Tensor)`, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-result]
// CHECK: operators.lock:2:1: note: the lock file promises it here
// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.

// example begin
//--- before.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] Tensor f(const Tensor& self);
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
}  // namespace kernels
//--- after.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] std::tuple<Tensor, Tensor> f(const Tensor& self);
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
}  // namespace kernels
// example end
