// Only `pointwise` takes templates.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// CHECK: template_function.cpp:[[@LINE+4]]:8: error: annotated function `kernels::twice` is a template; expected a plain function, as only `pointwise` takes a template [structured-template-function]
// expected-error@+3 {{annotated function `kernels::twice` is a template; expected a plain function, as only `pointwise` takes a template [structured-template-function]}}
template <typename T>
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, T value);

// Near miss: a scalar function is a template.
template <typename T>
[[structured::pointwise("half")]]
T half(T self) {
  return self / 2;
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
