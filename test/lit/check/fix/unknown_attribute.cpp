// Applying the edits of structured-unknown-attribute leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::compsite("twice")]]
Tensor twice(const Tensor& self, [[structured::kwolny]] bool flag);
[[using structured: composite("thrice"), metod]]
Tensor thrice(const Tensor& self);
[[structred::composite("fourth")]]
Tensor fourth(const Tensor& self);

}  // namespace kernels

// CHECK: {{\[\[}}structured::composite("twice")]]
// CHECK-NEXT: {{\[\[}}structured::kwonly]] bool flag
// CHECK-NEXT: {{\[\[}}using structured: composite("thrice"), method]]
// CHECK: {{\[\[}}structured::composite("fourth")]]
