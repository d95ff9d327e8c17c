// Scalar functions for PyTorch's stable ABI: kernels in C++, and derivatives, meta functions and decompositions in Python.
// RUN: rm -rf %t && split-file %s %t
// RUN: %structured_gen scan --dialect=torch_stable --namespace=my --scalar-graphs --source-root %t -o %t/a.json %t/clip.h -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %t --output-dir %t/out %t/a.json
// RUN: FileCheck %s --input-file=%t/out/src/clip.h.cpp
// RUN: FileCheck %s --check-prefix=LIBRARY --input-file=%t/out/library.cpp
// RUN: %structured_gen python --module=my_ops --output-dir %t/py %t/out/operators.json
// RUN: FileCheck %s --check-prefix=LAYERS --input-file=%t/py/_layers.py
// RUN: FileCheck %s --check-prefix=SHAPES --input-file=%t/py/_shapes.py
// RUN: FileCheck %s --check-prefix=BODIES --input-file=%t/py/_decompositions.py
// RUN: FileCheck %s --check-prefix=STUB --input-file=%t/py/__init__.pyi
// RUN: %structured_gen explain --namespace=my scale %t/a.json | FileCheck %s --check-prefix=EXPLAIN
//--- clip.h
#include "torch_stable_mock.h"
namespace kernels {
template <typename T>
[[structured::pointwise("scale", "scale_", "scale.out"), structured::dtypes("floating"), structured::autocast("fp32")]]
T scale(T self, T other, [[structured::scalar]] T factor = 1) {
  return factor * self * other;
}
template <typename T>
[[structured::pointwise("choose"), structured::promote("bool")]]
T choose(T self, [[structured::tensor]] bool mask, int64_t n);
}  // namespace kernels
// STUB: def scale(self: Tensor, other: Tensor, factor: float = ...) -> Tensor: ...

// CHECK: #include <structured/torch_loops/derivative.h>
// CHECK: #include <structured/torch_stable/adaptors.h>
// CHECK: #include <structured/torch_stable/pointwise.h>
// CHECK: void meta_of__scale_backward_self(::structured::torch_stable::ElementwiseIterator& op,
// CHECK: const D result = ::kernels::scale<D>(::structured::torch_stable::variable<D, true>(self),
// CHECK-NEXT: ::structured::torch_stable::variable<D, false>(other),
// CHECK: return ::structured::torch_stable::gradient(result, grad);
// CHECK: void meta_of_choose(
// CHECK: ::structured::torch_stable::check_boolean("choose", "mask", mask);
// CHECK: void meta_of_scale(::structured::torch_stable::ElementwiseIterator& op, const ::torch::stable::Tensor& self,
// CHECK-NEXT: const ::torch::stable::Tensor& other, double factor) {
// CHECK-NEXT: ::structured::torch_stable::build_pointwise(op, {&self, &other}, /*is_boolean=*/false, /*is_floating=*/false);
// CHECK-NEXT: ::structured::torch_stable::check_dtype("scale", op.common_dtype(), ::structured::torch_stable::kAllFloatingTypes);
// CHECK-NEXT: ::structured::torch_stable::check_scalar("scale", "factor", op.common_dtype(), factor);
// CHECK: ::structured::torch_stable::pointwise_kernel<types>("scale", op, [&]<class T>() {
// CHECK-NEXT: return [factor = ::structured::torch_stable::to<T>(factor)](T self, T other) -> T {
// CHECK: ::structured::torch_stable::Inplace<::structured::torch_stable::ElementwiseIterator> op(self);

// LIBRARY: m.define("_scale_backward_self(Tensor grad, Tensor self, Tensor other, float factor) -> Tensor", {"pointwise"});
// LIBRARY: m.define("scale(Tensor self, Tensor other, float factor=1) -> Tensor", {"pointwise"});
// LIBRARY-NEXT: m.impl<&wrapper_cpu_scale>("scale", "CPU");
// LIBRARY-NEXT: m.impl_meta<&wrapper_meta_scale>("scale", true);
// LIBRARY: m.define("_unrecorded_scale(Tensor self, Tensor other, float factor=1) -> Tensor", {"pointwise"});
// LIBRARY-NEXT: m.impl<&wrapper_cpu_scale>("_unrecorded_scale", "CPU");

// Second derivatives have derivatives for `grad` alone.
// LAYERS: "my::_scale_backward_self": recording.Derivative((0, 1, 2), [
// LAYERS-NEXT: ("my::_scale_backward_self", ((recording.conjugate, 0), (recording.saved, 1), (recording.saved, 2), (recording.saved, 3)), (0,), True),
// LAYERS-NEXT: ("my::_scale_backward_self_by_self", ((recording.weighted, 0), (recording.saved, 1),
// LAYERS: "my::_scale_backward_self_by_self": recording.Derivative((0, 1, 2), [
// LAYERS-NEXT: ("my::_scale_backward_self_by_self", ((recording.conjugate, 0),
// LAYERS-NEXT: (None, (), (1,), False),
// LAYERS-NEXT: (None, (), (2,), False),
// LAYERS: "my::scale": recording.Derivative((0, 1), [
// LAYERS-NEXT: ("my::_scale_backward_self", ((recording.needed, 0), (recording.saved, 0), (recording.saved, 1), (recording.saved, 2)), (0,), False),
// LAYERS: elementwise = [
// LAYERS: "my::scale",
// LAYERS: autocast = {
// LAYERS-NEXT: "my::scale": functions.fp32,
// LAYERS-NEXT: }
// LAYERS-NEXT: unrecorded = {
// LAYERS: "my::scale": "my::_unrecorded_scale",

// SHAPES: def elementwise(op_, self, mask, n):
// SHAPES-NEXT: shapes.check_boolean("choose", "mask", mask)
// SHAPES-NEXT: shapes.set_elementwise_output(op_, [self, mask], True, False)
// SHAPES: def elementwise(op_, self, other, factor):
// SHAPES-NEXT: dtype = shapes.set_elementwise_output(op_, [self, other], False, False)
// SHAPES-NEXT: shapes.check_dtype("scale", dtype, [torch.float16, torch.float32, torch.float64, torch.bfloat16])
// SHAPES-NEXT: shapes.check_scalar("scale", "factor", dtype, factor)
// SHAPES: shapes.register_fake("my::scale_", {{.*}}, "inplace")

// BODIES: "my::scale": functions.Decomposition(["tensor", "tensor", "scalar"], [
// BODIES-NEXT: ([torch.float16, torch.float32, torch.float64, torch.bfloat16], [
// BODIES-NEXT: ("input", None, 0),
// BODIES-NEXT: ("input", None, 1),
// BODIES-NEXT: ("input", None, 2),
// BODIES-NEXT: ("mul", None, 2, 0),
// BODIES-NEXT: ("mul", None, 3, 1),
// BODIES-NEXT: ]),
// BODIES-NEXT: ], False, False),

// EXPLAIN: compilers
// EXPLAIN-NEXT: see what it computes for float, half, bfloat16, double
