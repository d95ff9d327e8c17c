// Only lists have a length, and only one length.
// Why: `size` fixes the length of a list, `int[2]`. A single value has no length, and a `std::array` has one already.
// Cure: Remove `size`, or make the parameter a list such as `IntArrayRef`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: size_on_non_list.cpp:[[@LINE+5]]:36: error: `size` on `dim`, which is `int64_t`; expected a list [structured-size-on-non-list]
// expected-error@+4 {{`size` on `dim`, which is `int64_t`; expected a list [structured-size-on-non-list]}}
// CHECK: size_on_non_list.cpp:[[@LINE+3]]:73: error: `size` on `mask`, which is `std::array<bool, 3>` and has a length already; remove it [structured-size-on-non-list]
// expected-error@+2 {{`size` on `mask`, which is `std::array<bool, 3>` and has a length already; remove it [structured-size-on-non-list]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, [[structured::size(2)]] int64_t dim, [[structured::size(3)]] std::array<bool, 3> mask);
// example end

// Near miss: an optional list is a list.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::size(2)]] OptionalIntArrayRef dims,
              [[structured::size(1)]] TensorList rest);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
