// The rules are checked after errors in attributes and after warnings that -Werror makes errors. They are not checked after
// Clang's own errors, which may make declarations invalid.
//
// RUN: not %clangxx -fplugin=%plugin -I%S/../Inputs -fsyntax-only %s -DATTRIBUTE 2>&1 | FileCheck %s --check-prefixes=ATTRIBUTE,RULES
// RUN: not %clangxx -fplugin=%plugin -I%S/../Inputs -fsyntax-only %s -DWARNING -Wshadow -Werror 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=WARNING,RULES
// RUN: not %clangxx -fplugin=%plugin -I%S/../Inputs -fsyntax-only %s -DATTRIBUTE -DINVALID 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=ATTRIBUTE,INVALID --implicit-check-not=unsupported-type

#include "mock.h"

namespace demo {
#ifdef ATTRIBUTE
// ATTRIBUTE: error: unknown attribute `structured::kernl`
[[structured::kernl("g", "CPU")]] void g();
#endif
#ifdef WARNING
// WARNING: error: declaration shadows {{.*}}-Wshadow
inline int shadowed(int n) { { int n = 0; return n; } return n; }
#endif
#ifdef INVALID
// INVALID: error: {{unknown type name|use of undeclared identifier}} 'Tensr'
Tensr h();
#endif
// RULES: error: parameter `n` is `int`, {{.*}} [structured-unsupported-type]
[[structured::kernel("f", "CPU", "Meta")]] structured::Tensor f(const structured::Tensor& self, int n);
}  // namespace demo
