// Variants that the runtime of a dialect does not have.
// Why: Variants that `variants` names are derived by the project's own runtime.
// Cure: Write a `kernel` for each variant, or a `meta` and an `impl`.
// RUN: not %structured_gen check --dialect=torch_stable --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
#include "torch_stable_mock.h"

using torch::stable::Tensor;

namespace kernels {

// example begin
// CHECK: unsupported_role.cpp:[[@LINE+1]]:48: error: `variants` of `thrice` are not derived in libraries for PyTorch; expected a `kernel` for each variant [structured-unsupported-role]
[[structured::kernel("thrice", "CPU", "Meta"), structured::variants("thrice.out")]]
Tensor thrice(const Tensor& self);
// example end

// Near miss: a composite.
[[structured::composite("fourth")]]
Tensor fourth(const Tensor& self);

}  // namespace kernels
