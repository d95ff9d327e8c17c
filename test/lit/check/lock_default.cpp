// A locked default was removed or changed.
// Why: Callers that omit the argument get a different result, or an error, without any change of their own.
// Cure: Keep the default, or add an overload. Accept an intended change with `--update-lock`.
// RUN: split-file %s %t
// RUN: %structured_gen check --lock=%t/operators.lock --update-lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: not %structured_gen check --lock=%t/operators.lock %t/after.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// The locked sources match their lock file.
// RUN: %structured_gen check --lock=%t/operators.lock %t/before.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0

// CHECK: after.cpp:4:75: error: the default of argument `dim` of `f` changed from `0` to `1`, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-default]
// CHECK: operators.lock:2:1: note: the lock file promises it here
// CHECK: after.cpp:5:61: error: the default of argument `dim` of `g` changed from `0` to none, which breaks its callers; to accept the change, pass `--update-lock` [structured-lock-default]
// CHECK: operators.lock:3:1: note: the lock file promises it here
// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.

// example begin
//--- before.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t dim = 0);
[[structured::composite("g")]] Tensor g(const Tensor& self, int64_t dim = 0);
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
}  // namespace kernels
//--- after.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::composite("f")]] Tensor f(const Tensor& self, int64_t dim = 1);
[[structured::composite("g")]] Tensor g(const Tensor& self, int64_t dim);
[[structured::composite("keep")]] Tensor keep(const Tensor& self);
}  // namespace kernels
// example end
