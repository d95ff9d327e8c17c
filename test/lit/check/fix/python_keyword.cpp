// Applying the edits of structured-python-keyword leaves no warnings.
// RUN: grep -v CHECK %s > %t.cpp
// RUN: %structured_gen check --fix --dialect=torch %t.cpp -- -std=c++20 -I%S/../../derive/Inputs -I%runtime
// RUN: %structured_gen check --dialect=torch %t.cpp -- -std=c++20 -I%S/../../derive/Inputs -I%runtime 2>&1 | count 0
// RUN: FileCheck --input-file %t.cpp %s
#include "aten_mock.h"

namespace kernels {

[[structured::composite("shrink")]]
at::Tensor shrink(const at::Tensor& self, double lambda);

}  // namespace kernels

// CHECK: at::Tensor shrink(const at::Tensor& self, double lambda_);
