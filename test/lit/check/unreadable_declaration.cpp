// A declaration with an unknown type is unusable. The scan stops with the error of Clang's parser. A fragment from
// another program may contain such a declaration, which other rules ignore.
// Why: The compiler replaces an unknown type by `int` or drops the declaration, so any schema derived from it would be
// wrong.
// Cure: Include the header that declares the type, or correct its spelling; the compiler's own error names it.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
// RUN: not %structured_gen check %S/Inputs/unreadable.fragment.json 2>&1 | FileCheck --check-prefix=FRAGMENT %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: unreadable_declaration.cpp:[[@LINE+3]]:40: error: unknown type name 'Unheard'
// expected-error@+2 {{unknown type name 'Unheard'}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self, const Unheard& other);
// example end

// Near miss: only the compiler reports unknown types outside annotated declarations.
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.

// FRAGMENT: twice.cpp:3:34: error: the compiler does not know the type `const Unheard&` of parameter `other` of `kernels::twice` [structured-unreadable-declaration]
// FRAGMENT: twice.cpp:6:8: error: the compiler rejected the declaration of `kernels::half` [structured-unreadable-declaration]
// FRAGMENT-NOT: {{error|warning}}:
// FRAGMENT: 2 errors generated.
