// Rules of `sharding` that cannot be read, or that do not fit the operator.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
#include "mock.h"

using namespace structured;

namespace kernels {

// CHECK: sharding_rule.cpp:[[@LINE+1]]:{{[0-9]+}}: error: `sharding` has no readable rule: expected `->` between the tensors and the results [structured-bad-attribute-argument]
[[structured::kernel("f", "CPU", "Meta"), structured::sharding("n")]]
Tensor f(const Tensor& self);

// CHECK: sharding_rule.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rule of `sharding` for `g` has 1 tensor; expected 2, one for each argument that is a tensor or a list of tensors [structured-bad-attribute-argument]
[[structured::kernel("g", "CPU", "Meta"), structured::sharding("n -> n")]]
Tensor g(const Tensor& self, const Tensor& other);

// CHECK: sharding_rule.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rule of `sharding` for `h` has 1 result; expected 2 [structured-bad-attribute-argument]
[[structured::kernel("h", "CPU", "Meta"), structured::sharding("n -> n")]]
std::tuple<Tensor, Tensor> h(const Tensor& self);

// CHECK: sharding_rule.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the rule of `sharding` for `k` names `dims`, which is not an argument [structured-bad-attribute-argument]
[[structured::kernel("k", "CPU", "Meta"), structured::sharding("...-dims -> ...")]]
Tensor k(const Tensor& self, int64_t dim);

// CHECK-NOT: error: {{.*}}sharding
[[structured::kernel("l", "CPU", "Meta"), structured::sharding("...-dim n -> ... n")]]
Tensor l(const Tensor& self, int64_t dim);

}  // namespace kernels
