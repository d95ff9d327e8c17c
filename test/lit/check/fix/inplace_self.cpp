// Applying the edits of structured-inplace-self leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::composite("relu_")]]
Tensor& relu_(const Tensor& self);
[[structured::composite("exp_")]]
Tensor& exp_(Tensor& input);
[[structured::composite("_foreach_exp_")]]
void foreach_exp_(TensorList self);

}  // namespace kernels

// CHECK: Tensor& relu_(Tensor& self);
// CHECK: Tensor& exp_(Tensor& self);
// CHECK: void foreach_exp_({{\[\[}}structured::alias("a!")]] TensorList self);
