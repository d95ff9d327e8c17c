// Libraries for PyTorch have no derived variants.
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: not %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json 2>&1 | FileCheck %s
#include "aten_mock.h"

namespace kernels {

// CHECK: error: operator `my::total.out` is a variant that `variants` derives; libraries for PyTorch need a kernel for it
[[structured::kernel("total", "CPU", "Meta"), structured::variants("total.out")]]
at::Tensor total(const at::Tensor& self);

}  // namespace kernels
