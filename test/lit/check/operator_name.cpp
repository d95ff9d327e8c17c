// Names are `[namespace::]base[.overload]`.
// Why: Operator names become C++ functions, keys of tables and text of schemas. Emitted code also declares namespaces
// for backends and some functions of its own, whose names are taken.
// Cure: Write `[namespace::]base[.overload]`; each part is an identifier that is not a C++ keyword.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: operator_name.cpp:[[@LINE+2]]:25: error: `twice..out` is not an operator name; expected `[namespace::]base[.overload]` [structured-operator-name]
// expected-error@+1 {{`twice..out` is not an operator name; expected `[namespace::]base[.overload]` [structured-operator-name]}}
[[structured::composite("twice..out")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: operator_name.cpp:[[@LINE+2]]:25: error: `three times` is not an operator name; expected `[namespace::]base[.overload]` [structured-operator-name]
// expected-error@+1 {{`three times` is not an operator name; expected `[namespace::]base[.overload]` [structured-operator-name]}}
[[structured::composite("three times")]]
Tensor thrice(const Tensor& self);

// CHECK: operator_name.cpp:[[@LINE+2]]:25: error: `and` needs a C++ function named `and`, which is a keyword; expected another name [structured-operator-name]
// expected-error@+1 {{`and` needs a C++ function named `and`, which is a keyword; expected another name [structured-operator-name]}}
[[structured::composite("and")]]
Tensor conjunction(const Tensor& self);

// Near miss: a name with all parts.
[[structured::composite("mine::_half_.Scalar_out")]]
Tensor& half(Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 3 errors generated.
