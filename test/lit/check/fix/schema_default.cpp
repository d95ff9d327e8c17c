// Applying the edits of structured-schema-default leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, [[structured::schema_default("2")]] int64_t factor = 1);

}  // namespace kernels

// CHECK: {{\[\[}}structured::schema_default("1")]] int64_t factor = 1
