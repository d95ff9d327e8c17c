// Only integers can be symbolic.
// Why: `symint` replaces `int` by `SymInt`. Other types have no symbolic form.
// Cure: Remove `symint`, or take `int64_t`, `IntArrayRef` or an optional of one of them.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: symint_on_non_int.cpp:[[@LINE+3]]:36: error: `symint` on `factor`, which is `double`; expected an `int64_t` or a list of them [structured-symint-on-non-int]
// expected-error@+2 {{`symint` on `factor`, which is `double`; expected an `int64_t` or a list of them [structured-symint-on-non-int]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, [[structured::symint]] double factor);
// example end

// Near miss: integers inside lists and optionals.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::symint]] IntArrayRef sizes,
              [[structured::symint]] std::optional<int64_t> n);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
