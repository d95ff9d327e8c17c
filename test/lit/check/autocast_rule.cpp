// An unknown rule for torch.autocast.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
#include "mock.h"

using namespace structured;

namespace kernels {

// CHECK: autocast_rule.cpp:[[@LINE+1]]:{{[0-9]+}}: error: `autocast` has no rule `lower`; expected {{.*}}`lower_precision`, `fp32` or `promote` [structured-bad-attribute-argument]
[[structured::kernel("f", "CPU", "Meta"), structured::autocast("lower")]]
Tensor f(const Tensor& self);

}  // namespace kernels
