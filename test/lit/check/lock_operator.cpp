// A locked operator was removed. A new operator is allowed.
// Why: Callers, saved programs and other languages rely on the operators in the lock file. Removing one breaks them.
// Cure: Keep the operator, for example as a `composite` that calls its successor. Accept an intended removal with
// `--update-lock`.
// RUN: split-file %s %t
// RUN: %structured_gen check --lock=%t/operators.lock --update-lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: not %structured_gen check --lock=%t/operators.lock %t/after.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The locked sources match their lock file.
// RUN: %structured_gen check --lock=%t/operators.lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0

// CHECK: operators.lock:2:1: error: `gone` was removed, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-operator]
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
