// Rules by which processes share the work of operators, in the package of a library for PyTorch.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t/a.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t/out %t/a.json
// RUN: %structured_gen python --module=my_ops --output-dir %t/py %t/out/operators.json
// RUN: FileCheck %s --input-file=%t/py/_sharding.py
// RUN: %structured_gen explain --namespace=my dense %t/a.json | FileCheck %s --check-prefix=EXPLAIN
// RUN: %structured_gen explain --namespace=my --lowered shares %t/a.json | FileCheck %s --check-prefix=LOWERED
#include <cstdint>

#include "aten_mock.h"

namespace kernels {

// CHECK: rules = {
// CHECK-NEXT: "my::both": None,
// CHECK-NEXT: "my::dense": ([(..., None), ("o", None), ("o",)], [(..., "o")]),
// CHECK-NEXT: "my::scale": ([("n", ...)], [("n", ...)]),
// CHECK-NEXT: "my::scale_": ([("n", ...)], [("n", ...)]),
// CHECK-NEXT: "my::shares": ([((..., "dim"),)], [(...,)]),
// CHECK-NEXT: }
// EXPLAIN: spread over processes: ... _, o _, o -> ... o
// LOWERED: sharding: ...-dim -> ...
[[structured::kernel("dense", "CPU"), structured::allow("no-meta-kernel"), structured::sharding("... _, o _, o -> ... o")]]
at::Tensor dense(const at::Tensor& self, const at::Tensor& weight, const c10::optional<at::Tensor>& bias);

[[structured::kernel("shares", "CPU"), structured::allow("no-meta-kernel"), structured::sharding("...-dim -> ...")]]
at::Tensor shares(const at::Tensor& self, int64_t dim);

[[structured::kernel("both", "CPU"), structured::allow("no-meta-kernel")]]
at::Tensor both(const at::Tensor& self);

[[structured::composite("composed")]]
at::Tensor composed(const at::Tensor& self);

[[structured::meta("scale", "scale_", "scale.out"), structured::sharding("n ... -> n ..."), structured::not_differentiable]]
void scale_meta(at::impl::MetaBase& op, const at::Tensor& self);
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(const at::Tensor& self, const at::Tensor& out);

}  // namespace kernels
