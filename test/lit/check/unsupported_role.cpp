// Roles and variants that the runtime of a dialect does not have.
// Why: PyTorch's stable ABI has no TensorIterator, which computes scalar functions. Variants that `variants` names are derived by
// the project's own runtime.
// Cure: Use the roles that the message names, or a library without `STABLE_ABI`.
// RUN: not %structured_gen check --dialect=torch_stable --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
#include "torch_stable_mock.h"

using torch::stable::Tensor;

namespace kernels {

// example begin
// CHECK: unsupported_role.cpp:[[@LINE+2]]:3: error: `pointwise` for `soft_sign` cannot be emitted: the stable ABI of PyTorch has no TensorIterator, which computes scalar functions; expected a `meta` and an `impl` that loops over the elements, or a library without STABLE_ABI [structured-unsupported-role]
template <typename T>
[[structured::pointwise("soft_sign")]]
T soft_sign(T self);
// example end

// CHECK: unsupported_role.cpp:[[@LINE+1]]:48: error: `variants` of `thrice` are not derived in libraries for PyTorch; expected a `kernel` for each variant [structured-unsupported-role]
[[structured::kernel("thrice", "CPU", "Meta"), structured::variants("thrice.out")]]
Tensor thrice(const Tensor& self);

// Near miss: a composite.
[[structured::composite("fourth")]]
Tensor fourth(const Tensor& self);

}  // namespace kernels
