// Applying the edits of structured-missing-underscore leaves no errors.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime
// RUN: %structured_gen check %t.cpp -- -std=c++20 -I%S/../../Inputs -I%runtime 2>&1 | count 0
// RUN: %clangxx -fsyntax-only -I%S/../../Inputs -fplugin=%plugin -x c++ %t.cpp
// RUN: FileCheck --input-file %t.cpp %s
#include "mock.h"

using namespace structured;

namespace kernels {

[[structured::kernel("zap", "CPU", "Meta")]]
Tensor& zap(Tensor& self);

}  // namespace kernels

// CHECK: structured::kernel("zap_", "CPU", "Meta")]]
