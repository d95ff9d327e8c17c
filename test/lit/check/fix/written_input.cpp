// Applying the edits of structured-written-input leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::meta("twice")]]
void twice_meta(MetaBase& op, Tensor& self);
[[structured::impl("twice", "CPU")]]
void twice_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK: void twice_meta(MetaBase& op, const Tensor& self);
