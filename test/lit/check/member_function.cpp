// Member functions cannot be annotated.
// Why: Operators are called without an object, and emitted code cannot declare a member function outside its class.
// Cure: Move the function to namespace scope, and pass what it needs of the class as parameters.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
struct Kernels {
// CHECK: member_function.cpp:[[@LINE+3]]:10: error: annotated function `kernels::Kernels::twice` is a member of a class; expected a function at namespace scope [structured-member-function]
// expected-error@+2 {{annotated function `kernels::Kernels::twice` is a member of a class; expected a function at namespace scope [structured-member-function]}}
  [[structured::composite("twice")]]
  Tensor twice(const Tensor& self);
// CHECK: member_function.cpp:[[@LINE+3]]:17: error: annotated function `kernels::Kernels::half` is a member of a class; expected a function at namespace scope [structured-member-function]
// expected-error@+2 {{annotated function `kernels::Kernels::half` is a member of a class; expected a function at namespace scope [structured-member-function]}}
  [[structured::composite("half")]]
  static Tensor half(const Tensor& self);
};
// example end

// Near miss: a namespace that could be a class by its name.
namespace nested {
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);
}  // namespace nested

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
