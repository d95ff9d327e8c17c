// Arguments have the names of parameters.
// Why: Parameter names are argument names: schemas print them, and callers in other languages pass arguments by name.
// Cure: Name the parameter. Mark it `[[maybe_unused]]` if the body does not use it.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: unnamed_parameter.cpp:[[@LINE+5]]:34: error: parameter 2 of `kernels::twice` has no name; expected one, which becomes the argument's name [structured-unnamed-parameter]
// expected-error@+4 {{parameter 2 of `kernels::twice` has no name; expected one, which becomes the argument's name [structured-unnamed-parameter]}}
// CHECK: unnamed_parameter.cpp:[[@LINE+3]]:43: error: parameter 3 of `kernels::twice` has no name; expected one, which becomes the argument's name [structured-unnamed-parameter]
// expected-error@+2 {{parameter 3 of `kernels::twice` has no name; expected one, which becomes the argument's name [structured-unnamed-parameter]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, int64_t, [[structured::kwonly]] bool);
// example end

// Near miss: helpers may leave their parameters unnamed.
Tensor helper(const Tensor&);
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
