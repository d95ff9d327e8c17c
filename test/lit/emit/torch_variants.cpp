// Libraries for PyTorch have no derived variants.
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: not %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json 2>&1 | FileCheck %s
#include "aten_mock.h"

namespace kernels {

// CHECK: torch_variants.cpp:[[@LINE+1]]:47: error: `variants` of `total` are not derived in libraries for PyTorch; expected a `kernel` for each variant [structured-unsupported-role]
[[structured::kernel("total", "CPU", "Meta"), structured::variants("total.out")]]
at::Tensor total(const at::Tensor& self);

}  // namespace kernels
