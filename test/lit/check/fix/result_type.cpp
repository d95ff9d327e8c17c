// Applying the edits of structured-result-type leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::composite("twice")]]
IntArrayRef twice(const Tensor& self);
[[structured::meta("mm", "mm.out")]]
Tensor mm_meta(MetaBase& op, const Tensor& self, const Tensor& mat2);
[[structured::impl("mm.out", "CPU")]]
Tensor mm_cpu(const Tensor& self, const Tensor& mat2, const Tensor& out);

}  // namespace kernels

// CHECK: std::vector<int64_t> twice(
// CHECK: void mm_meta(
// CHECK: void mm_cpu(
