// Applying the edits of structured-returns-order leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin -x c++ %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::meta("top", "top.out"), structured::returns("indices", "values")]]
void top_meta(MetaBase& op, const Tensor& self);
[[structured::impl("top.out", "CPU")]]
void top_cpu(const Tensor& self, const Tensor& values, const Tensor& indices);

}  // namespace kernels

// CHECK: structured::returns("values", "indices")]]
