// Layers of operators for PyTorch's stable ABI: operators that call the author's derivatives, and tables in Python.
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --dialect=torch_stable --namespace=my --source-root %S -o %t/a.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t/out %t/a.json
// RUN: FileCheck %s --check-prefix=LIBRARY --input-file=%t/out/library.cpp
// RUN: %structured_gen python --module=my_ops --output-dir %t/py %t/out/operators.json
// RUN: FileCheck %s --input-file=%t/py/_layers.py
// RUN: %structured_gen explain --namespace=my --lowered product %t/a.json | FileCheck %s --check-prefix=LOWERED
#include "torch_stable_mock.h"

namespace kernels {

using structured::torch_stable::MetaBase;
using torch::stable::Tensor;

// LIBRARY: torch::stable::Tensor product_self(const ::torch::stable::Tensor&, const ::torch::stable::Tensor&, double);
// LIBRARY: m.define("product(Tensor self, Tensor other, float factor=1) -> Tensor", {});
// LIBRARY: m.define("_product_backward_self(Tensor grad, Tensor other, float factor) -> Tensor", {});
// LIBRARY-NEXT: m.impl<&::kernels::product_self>("_product_backward_self", "CompositeImplicitAutograd");
// LIBRARY: m.define("_product_backward_other(Tensor grad, Tensor? self) -> Tensor", {});
// LIBRARY: "_sums_backward(Tensor? grad_low, Tensor grad_high, Tensor[] tensors, int[] weight_sizes, Tensor high) -> (Tensor[], Tensor)",
// LOWERED: my::product
// LOWERED: gradient operator: _product_backward_self(Tensor grad, Tensor other, float factor) -> Tensor
// CHECK: "my::product": recording.Derivative((0, 1), [
// CHECK-NEXT: ("my::_product_backward_self", ((recording.needed, 0), (recording.saved, 1), (recording.saved, 2)), (0,), False),
// CHECK-NEXT: ("my::_product_backward_other", ((recording.needed, 0), (recording.unless_modified, 0)), (1,), False),
// CHECK-NEXT: ], ()),
// CHECK-NEXT: "my::sums": recording.Derivative((1, 0), [
// CHECK-NEXT: ("my::_sums_backward", ((recording.optional, 0), (recording.needed, 1), (recording.saved, 0), (recording.sizes, 1), (recording.result, 1)), (1, 0), False),
// CHECK-NEXT: ], (2,)),
// CHECK-NEXT: }
// CHECK-NEXT: inplace = {
// CHECK-NEXT: "my::product_": "my::product",
// CHECK-NEXT: }
// CHECK-NEXT: mutating = {
// CHECK-NEXT: "my::product.out": "my::product",
// CHECK-NEXT: "my::product_": "my::product",
// CHECK-NEXT: }
// CHECK-NEXT: batched = [
// CHECK-NEXT: "my::product",
// CHECK-NEXT: "my::product_",
// CHECK-NEXT: "my::sums",
// CHECK-NEXT: ]
[[structured::meta("product", "product_", "product.out")]]
void product_meta(MetaBase& op, const Tensor& self, const Tensor& other, double factor = 1);
[[structured::impl("product.out", "CPU")]]
void product_cpu(const Tensor& self, const Tensor& other, double factor, const Tensor& out);
[[structured::backward("product", "self")]]
Tensor product_self(const Tensor& grad, const Tensor& other, double factor);
[[structured::backward("product", "other")]]
Tensor product_other(const Tensor& grad, const std::optional<Tensor>& self);

[[structured::kernel("sums", "CPU", "Meta"), structured::returns("low", "high", "count"),
  structured::not_differentiable("count")]]
std::tuple<Tensor, Tensor, Tensor> sums(const std::vector<Tensor>& tensors, const Tensor& weight);
[[structured::backward("sums")]]
std::tuple<std::vector<Tensor>, Tensor> sums_backward(const std::optional<Tensor>& grad_low, const Tensor& grad_high,
                                                      const std::vector<Tensor>& tensors,
                                                      const std::vector<int64_t>& weight_sizes, const Tensor& high);

}  // namespace kernels
