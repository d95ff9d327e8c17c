// Names are `[namespace::]base[.overload]`.
// Why: Names become C++ functions, keys of tables and text of schemas, which have one grammar.
// Cure: Write `[namespace::]base[.overload]`, each part an identifier.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: operator_name.cpp:[[@LINE+2]]:25: error: `twice..out` is no operator name; expected `[namespace::]base[.overload]` [structured-operator-name]
// expected-error@+1 {{`twice..out` is no operator name; expected `[namespace::]base[.overload]` [structured-operator-name]}}
[[structured::composite("twice..out")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: operator_name.cpp:[[@LINE+2]]:25: error: `three times` is no operator name; expected `[namespace::]base[.overload]` [structured-operator-name]
// expected-error@+1 {{`three times` is no operator name; expected `[namespace::]base[.overload]` [structured-operator-name]}}
[[structured::composite("three times")]]
Tensor thrice(const Tensor& self);

// Near miss: every part there is.
[[structured::composite("mine::_half_.Scalar_out")]]
Tensor& half(Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
