// Only `pointwise` functions may be templates.
// Why: Emitted code calls one function at one address. A template is a family of functions, and the tool does not know
// which of them are instantiated.
// Cure: Write a plain function that selects the type itself, for example with `visit`, or mark a scalar function
// `pointwise`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: template_function.cpp:[[@LINE+4]]:8: error: annotated function `kernels::twice` is a template; expected a plain function, as only `pointwise` and `backward` take templates [structured-template-function]
// expected-error@+3 {{annotated function `kernels::twice` is a template; expected a plain function, as only `pointwise` and `backward` take templates [structured-template-function]}}
template <typename T>
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, T value);
// example end

// Near miss: a scalar function template, although not in a header.
// CHECK: [[@LINE+4]]:3: error: `pointwise` for `half` is in
// expected-error-re@+3 {{`pointwise` for `half` is in `{{.*}}`;}}
template <typename T>
[[structured::pointwise("half")]]
T half(T self) {
  return self / 2;
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.
