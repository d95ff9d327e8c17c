// A locked argument was removed, renamed or has another type. A new argument with a default is allowed.
// Why: Callers pass arguments by position and by name. A changed name, type or order, or a new argument without a
// default, breaks them.
// Cure: Keep the arguments and add new ones at the end, with defaults, or add an overload. Accept an intended change
// with `--update-lock`.
// RUN: split-file %s %t
// RUN: %structured_gen check --lock=%t/operators.lock --update-lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: not %structured_gen check --lock=%t/operators.lock %t/after.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The locked sources match their lock file.
// RUN: %structured_gen check --lock=%t/operators.lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0

// CHECK: after.cpp:4:61: error: argument of `f` changed from `int dim` to `int axis`, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-argument]
// CHECK: operators.lock:2:1: note: the lock file promises it here
// CHECK: after.cpp:5:39: error: argument `dim` of `g` was removed, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-argument]
// CHECK: operators.lock:3:1: note: the lock file promises it here
// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.

// example begin
//--- before.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t dim);
[[structured::composite("g")]] Tensor g(const Tensor& self, int64_t dim);
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
}  // namespace kernels
//--- after.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t axis);
[[structured::composite("g")]] Tensor g(const Tensor& self);
[[structured::composite("keep")]] Tensor keep(const Tensor& self, int64_t n = 1);
}  // namespace kernels
// example end
