// An annotated function with an `asm` label.
// Why: Emitted code declares the function by its name and type, and links to the symbol that follows from them. The label
// gives the function another symbol.
// Cure: Remove the label. To export the function under a C name, declare it `extern "C"`.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: asm_label.cpp:[[@LINE+3]]:8: error: annotated function `kernels::twice` has an `asm` label, so emitted code would link to another symbol; remove the label [structured-asm-label]
// expected-error@+2 {{annotated function `kernels::twice` has an `asm` label, so emitted code would link to another symbol; remove the label [structured-asm-label]}}
[[structured::composite("twice")]]
Tensor twice(const Tensor& self) asm("kernels_twice");
// example end

// Near miss: a C name.
extern "C" {
[[structured::composite("half")]]
Tensor half(const Tensor& self);
}

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 1 error generated.
