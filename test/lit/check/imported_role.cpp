// Roles that are reserved for the library of an operator.
// Why: A composite kernel would serve backends of other libraries. A derivative belongs to the operator's own library:
// loading another library must not change it.
// Cure: Write an `impl` or `kernel` for backends that the operator's own library does not implement, or define an
// operator of your own.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %structured_gen scan --namespace=owner -o owner.json owner.cpp -- -std=c++20 -I%S/../Inputs -I%runtime
// RUN: %structured_gen emit --namespace=owner --output-dir=owner owner.json
// RUN: not %structured_gen check --namespace=npu --import=owner/include/owner/signatures.json npu.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s

// CHECK: npu.cpp:4:3: error: `composite` for `owner::twice`, which is imported; expected `impl` or `kernel` for single backends [structured-imported-role]
// CHECK: owner/include/owner/signatures.json:{{[0-9]+}}:17: note: the operator is declared here
// CHECK: "schema": "twice(Tensor self) -> Tensor"
// CHECK: npu.cpp:6:3: error: `backward` for `owner::twice`, which is imported; expected the derivative in the operator's own library [structured-imported-role]
// CHECK: owner/include/owner/signatures.json:{{[0-9]+}}:17: note: the operator is declared here
// CHECK-NOT: {{error|warning}}:
// CHECK: 2 errors generated.

// example begin
//--- owner.cpp
#include "mock.h"
using namespace structured;
namespace kernels {
[[structured::kernel("twice", "CPU", "Meta")]]
Tensor twice(const Tensor& self);
}  // namespace kernels
//--- npu.cpp
#include "mock.h"
using namespace structured;
namespace npu_kernels {
[[structured::composite("owner::twice")]]
Tensor twice(const Tensor& self);
[[structured::backward("owner::twice")]]
Tensor twice_backward(const Tensor& grad);
[[structured::kernel("owner::twice", "PrivateUse1")]]
Tensor twice_npu(const Tensor& self);
}  // namespace npu_kernels
// example end
