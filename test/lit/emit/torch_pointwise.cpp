// With the dialect `torch`, a scalar function becomes a meta function and a CPU kernel in terms of TensorIterator.
// RUN: rm -rf %t && split-file %s %t
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %t -o %t.json %t/clip.h -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %t --output-dir %t.gen %t.json
// RUN: FileCheck %s < %t.gen/src/clip.h.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
// RUN: %structured_gen list %t.json | FileCheck --check-prefix=SCHEMA %s
//--- clip.h
#include "aten_mock.h"
namespace kernels {
template <typename T>
[[structured::pointwise("clip", "clip_", "clip.out"), structured::dtypes("floating", "bool")]]
T clip(T self, [[structured::scalar("promotes")]] T least, [[structured::tensor]] bool mask,
       [[structured::scalar]] T most = 1);
}  // namespace kernels
// SCHEMA: clip(Tensor self, Scalar least, Tensor mask, Scalar most=1) -> Tensor
// CHECK: #include <structured/torch/pointwise.h>
// CHECK: #include "clip.h"
// CHECK: void meta_of_clip(::at::TensorIteratorBase& op, const ::at::Tensor& self, const ::c10::Scalar& least,
// CHECK-NEXT: const ::at::Tensor& mask, const ::c10::Scalar& most) {
// CHECK-NEXT: ::structured::torch::check_boolean("clip", "mask", mask);
// CHECK-NEXT: ::structured::torch::build_pointwise(op, {&self, &mask}, {::structured::torch::pointer_to(least)},
// CHECK-NEXT: /*is_boolean=*/false, /*is_floating=*/false);
// CHECK-NEXT: ::structured::torch::check_dtype("clip", op.common_dtype(),
// CHECK-NEXT: ::structured::torch::kAllFloatingTypes | ::structured::torch::kBool);
// CHECK-NEXT: ::structured::torch::check_scalar("clip", "most", op.common_dtype(), most);
// CHECK: void cpu_of_clip(::at::TensorIteratorBase& op, const ::at::Tensor& /*self*/, const ::c10::Scalar& least,
// CHECK: ::structured::torch::pointwise_kernel<types>("clip", op, [&]<class T>() {
// CHECK-NEXT: return [least = ::structured::torch::converted<T>(least), most = ::structured::torch::to<T>(most)](T self, T mask) -> T {
// CHECK-NEXT: return ::kernels::clip<T>(self, least, mask != T(0), most);
// CHECK: ::at::Tensor wrapper_cpu_clip(
// CHECK: ::my::emitted::meta_of_clip(op, self, least, mask, most);
// CHECK-NEXT: ::my::emitted::cpu_of_clip(op, self, least, mask, most, op.output(0));
// LIBRARY: m.define("clip(Tensor self, Scalar least, Tensor mask, Scalar most=1) -> Tensor", {"pointwise"});
