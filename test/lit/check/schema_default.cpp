// `schema_default` that contradicts the C++ default or is invalid.
// Why: Callers in other languages get the schema's default. It must be a value of the argument's type, and equal to the
// default that C++ callers get.
// Cure: Write a value of the schema's type, equal to the C++ default argument, or remove one of the two.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: schema_default.cpp:[[@LINE+3]]:63: error: `schema_default` of `factor` is `True`, which is not a value of the schema type `int` [structured-schema-default]
// expected-error@+2 {{`schema_default` of `factor` is `True`, which is not a value of the schema type `int` [structured-schema-default]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, [[structured::schema_default("True")]] int64_t factor);
// example end

// CHECK: schema_default.cpp:[[@LINE+5]]:64: error: `schema_default` of `factor` is `2`; expected `1`, as the default argument says [structured-schema-default]
// expected-error@+4 {{`schema_default` of `factor` is `2`; expected `1`, as the default argument says [structured-schema-default]}}
// CHECK: schema_default.cpp:[[@LINE+3]]:88: note: default argument written here
// expected-note@+2 {{default argument written here}}
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::schema_default("2")]] int64_t factor = 1);

// Near miss: both defaults are equal.
[[structured::composite("half")]]
Tensor half(const Tensor& self, [[structured::schema_default("1")]] int64_t factor = 1);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
