// An operator that was promised is gone. A new one is no breach.
// Why: The lock file says what callers, saved programs and other languages rely on. An operator that is gone breaks
// all of them.
// Cure: Keep the operator, if need be as a `composite` in terms of its successor. A removal that is meant is
// accepted by `--update-lock`.
// RUN: split-file %s %t
// RUN: %structured_gen check --lock=%t/operators.lock --update-lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: not %structured_gen check --lock=%t/operators.lock %t/after.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// What was locked meets its lock.
// RUN: %structured_gen check --lock=%t/operators.lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0

// CHECK: operators.lock:2:1: error: `gone` was removed, which breaks its callers [structured-lock-operator]
// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.

// example begin
//--- before.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
[[structured::composite("gone")]] Tensor gone(const Tensor& self);
}  // namespace kernels
//--- after.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
[[structured::composite("added")]] Tensor added(const Tensor& self);
}  // namespace kernels
// example end
