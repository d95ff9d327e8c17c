// Attributes on declarations to which they do not apply.
// Why: Each attribute describes a function or a parameter, in certain roles. Elsewhere it has no effect.
// Cure: Move the attribute to the function, before its declaration, or to the parameter, before its type.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
[[structured::composite("twice"), structured::method]]
Tensor twice(const Tensor& self);

// CHECK: misplaced_attribute.cpp:[[@LINE+3]]:17: error: `structured::method` belongs on a function at namespace scope, found on a parameter [structured-misplaced-attribute]
// expected-error@+2 {{`structured::method` belongs on a function at namespace scope, found on a parameter [structured-misplaced-attribute]}}
[[structured::composite("thrice")]]
Tensor thrice([[structured::method]] const Tensor& self);
// example end

// CHECK: misplaced_attribute.cpp:[[@LINE+2]]:34: error: `structured::kwonly` belongs on a parameter of a function, found on a function [structured-misplaced-attribute]
// expected-error@+1 {{`structured::kwonly` belongs on a parameter of a function, found on a function [structured-misplaced-attribute]}}
[[structured::composite("half"), structured::kwonly]]
Tensor half(const Tensor& self);

// CHECK: misplaced_attribute.cpp:[[@LINE+2]]:10: error: `structured::tags` belongs on a function at namespace scope, found on a type [structured-misplaced-attribute]
// expected-error@+1 {{`structured::tags` belongs on a function at namespace scope, found on a type [structured-misplaced-attribute]}}
struct [[structured::tags("core")]] Options {};
// CHECK: misplaced_attribute.cpp:[[@LINE+2]]:3: error: `structured::method` belongs on a function at namespace scope, found on a variable [structured-misplaced-attribute]
// expected-error@+1 {{`structured::method` belongs on a function at namespace scope, found on a variable [structured-misplaced-attribute]}}
[[structured::method]] int64_t variable;

// Near miss: each attribute in its place.
[[structured::composite("third"), structured::method, structured::tags("core")]]
Tensor third([[structured::alias("a")]] const Tensor& self, [[structured::kwonly]] bool flag);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 4 errors generated.
