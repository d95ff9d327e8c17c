// Applying the edits of structured-variant-name leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::meta("add.Tensor", "sub_.Tensor", "sum.out")]]
void add_meta(MetaBase& op, const Tensor& self);
[[structured::impl("add.Tensor", "CPU")]]
void add_cpu(const Tensor& self, const Tensor& out);

}  // namespace kernels

// CHECK: meta("add.Tensor", "add_.Tensor", "add.out")
