// Attributes that do not exist.
// Why: Compilers ignore unknown attributes, so a misspelt attribute would silently have no effect.
// Cure: Apply the suggestion, or look up the attribute in [annotations.md](annotations.md).
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: unknown_attribute.cpp:[[@LINE+2]]:15: error: unknown attribute `structured::compsite`; did you mean `structured::composite`? [structured-unknown-attribute]
// expected-error@+1 {{unknown attribute `structured::compsite`; did you mean `structured::composite`? [structured-unknown-attribute]}}
[[structured::compsite("twice")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: unknown_attribute.cpp:[[@LINE+3]]:49: error: unknown attribute `structured::keyword_only` [structured-unknown-attribute]
// expected-error@+2 {{unknown attribute `structured::keyword_only` [structured-unknown-attribute]}}
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::keyword_only]] bool flag);

// CHECK: unknown_attribute.cpp:[[@LINE+2]]:3: error: unknown attribute namespace `structred`; did you mean `structured`? [structured-unknown-attribute]
// expected-error@+1 {{unknown attribute namespace `structred`; did you mean `structured`? [structured-unknown-attribute]}}
[[structred::composite("fourth")]]
Tensor fourth(const Tensor& self);

// CHECK: unknown_attribute.cpp:[[@LINE+2]]:9: error: unknown attribute namespace `strutured`; did you mean `structured`? [structured-unknown-attribute]
// expected-error@+1 {{unknown attribute namespace `strutured`; did you mean `structured`? [structured-unknown-attribute]}}
[[using strutured: composite("fifth")]]
Tensor fifth(const Tensor& self);

// Near miss: attributes of other namespaces are ignored.
[[structured::composite("half"), gnu::noinline]]
Tensor half(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 4 errors generated.
