// Gradients of scalar functions for libtorch: hidden operators compute them for each element, by dual numbers.
// RUN: rm -rf %t && split-file %s %t
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %t -o %t.json %t/ops.h -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %t --output-dir %t.gen %t.json
// RUN: FileCheck %s < %t.gen/src/ops.h.cpp
// RUN: FileCheck --check-prefix=LIBRARY %s < %t.gen/library.cpp
// RUN: FileCheck --check-prefix=NONE %s < %t.gen/library.cpp
// RUN: %structured_gen list %t.json | FileCheck --check-prefix=LIST %s
//--- ops.h
#include "aten_mock.h"
namespace kernels {
template <typename T>
[[structured::pointwise("scale.Tensor", "scale_.Tensor", "scale.out"), structured::dtypes("all")]]
T scale(T self, [[structured::scalar]] T factor, T other, bool exact = false);

template <typename T>
[[structured::pointwise("relu", "relu.out"), structured::promote("int_to_float")]]
T relu(T self);
template <typename T>
[[structured::backward("relu")]]
T relu_backward(T grad, T out);

template <typename T>
[[structured::pointwise("step"), structured::not_differentiable]]
T step(T self);
template <typename T>
[[structured::pointwise("count_bits"), structured::dtypes("integral")]]
T count_bits(T self);
template <typename T>
[[structured::pointwise("less")]]
bool less(T self, T other);

// `grad` would be the gradient of the result.
template <typename T>
[[structured::pointwise("scale_backward")]]
T scale_backward(T grad, T factor);
}  // namespace kernels

// The operators are not part of the library's interface.
// LIST-NOT: {{_relu|_scale}}

// CHECK: #include <structured/torch_loops/derivative.h>
// A gradient that the author wrote, for real numbers.
// CHECK: void cpu_of__relu_backward_self(::at::TensorIteratorBase& op, const ::at::Tensor& /*grad*/, const ::at::Tensor& /*out*/,
// CHECK-NEXT: [[MAYBE_UNUSED:\[\[maybe_unused\]\]]] const ::at::Tensor& out_) {
// CHECK-NEXT: constexpr ::structured::torch::DtypeSet types = ::structured::torch::kAllFloatingTypes;
// CHECK-NEXT: ::structured::torch::pointwise_kernel<types>("_relu_backward_self", op, [&]<class T>() {
// CHECK-NEXT: return [](T grad, T out) -> T {
// CHECK-NEXT: return ::kernels::relu_backward<T>(grad, out);
// The function is linear in `grad`, so that its derivative by another input is computed for the weight 1.
// CHECK: ::structured::torch::small_pointwise_kernel<types>("_relu_backward_self_by_out", op, [&]<class T>() {
// CHECK-NEXT: return [](T grad, T out) -> T {
// CHECK-NEXT: using D = ::structured::Dual<T>;
// CHECK-NEXT: const D result = ::kernels::relu_backward<D>(::structured::torch::constant<D>(T(1)),
// CHECK-NEXT: ::structured::torch::variable<D, true>(out));
// CHECK-NEXT: return ::structured::torch::gradient(result, grad);

// Derived gradients, also for complex numbers.
// CHECK: void meta_of__scale_backward_other_Tensor(::at::TensorIteratorBase& op, const ::at::Tensor& grad,
// CHECK: ::structured::torch::build_pointwise(op, {&grad, &self, &other}, /*is_boolean=*/false, /*is_floating=*/false);
// CHECK: void cpu_of__scale_backward_other_Tensor(
// CHECK: ::structured::torch::kAllFloatingTypes | ::structured::torch::kAllComplexTypes;
// CHECK-NEXT: ::structured::torch::pointwise_kernel<types>("_scale_backward_other", op, [&]<class T>() {
// CHECK-NEXT: return [factor = ::structured::torch::to<T>(factor), exact](T grad, T self, T other) -> T {
// CHECK-NEXT: using D = ::structured::Dual<T>;
// CHECK-NEXT: const D result = ::kernels::scale<D>(::structured::torch::variable<D, false>(self),
// CHECK-NEXT: ::structured::torch::constant<D>(factor),
// CHECK-NEXT: ::structured::torch::variable<D, true>(other), exact);
// CHECK-NEXT: return ::structured::torch::gradient(result, grad);
// CHECK: ::structured::torch::small_pointwise_kernel<types>("_scale_backward_other_by_self", op, [&]<class T>() {
// CHECK: using D = ::structured::Dual<::structured::Dual<T>>;
// CHECK: ::structured::torch::variable<D, false, true>(self)
// CHECK: ::structured::torch::variable<D, true, false>(other)

// The node of a gradient: it is linear in `grad`.
// LIBRARY: using signature__relu_backward_self = ::at::Tensor(const ::at::Tensor& grad, const ::at::Tensor& out);
// LIBRARY: struct ReluBackwardSelfBackward0 final : ::structured::torch::BackwardNode {
// LIBRARY-NEXT: using Differentiable = std::index_sequence<0, 1>;
// LIBRARY: if (needs(0)) {
// LIBRARY-NEXT: inputs[0] = ::structured::torch::call_operator<signature__relu_backward_self, "my::_relu_backward_self">(
// LIBRARY-NEXT: results[0].conj(), saved_out.get(*this)).conj();
// LIBRARY: if (needs(1)) {
// LIBRARY-NEXT: inputs[1] = ::structured::torch::call_operator<signature__relu_backward_self_by_out, "my::_relu_backward_self_by_out">(
// LIBRARY-NEXT: results[0].conj().mul(saved_grad.get(*this)), saved_out.get(*this));
// LIBRARY: if (may_need(1)) {
// LIBRARY-NEXT: saved_grad.save(grad);

// The node of an operator.
// LIBRARY: struct ReluBackward0 final
// LIBRARY: inputs[0] = ::structured::torch::call_operator<signature__relu_backward_self, "my::_relu_backward_self">(
// LIBRARY-NEXT: results[0], saved_out.get(*this));
// LIBRARY: struct ScaleBackward0 final
// LIBRARY-NEXT: using Differentiable = std::index_sequence<0, 2>;
// LIBRARY: if (needs(1)) {
// LIBRARY-NEXT: inputs[1] = ::structured::torch::call_operator<signature__scale_backward_other_Tensor, "my::_scale_backward_other.Tensor">(
// LIBRARY-NEXT: results[0], saved_self.get(*this), saved_factor.get(*this), saved_other.get(*this), saved_exact.get(*this));

// LIBRARY: m.define("_relu_backward_self(Tensor grad, Tensor out) -> Tensor", {"pointwise"});
// LIBRARY: m.add_recorder<
// LIBRARY: m.batch();
// LIBRARY: m.define("_relu_backward_self_by_out(Tensor grad, Tensor out) -> Tensor", {"pointwise"});
// LIBRARY: m.add_layers<signature__relu_backward_self_by_out, "my::_relu_backward_self_by_out">();
// LIBRARY: m.define("_scale_backward_other.Tensor(Tensor grad, Tensor self, Scalar factor, Tensor other, bool exact) -> Tensor",
// LIBRARY: m.never_record<signature_less, "my::less">();
// LIBRARY: Recorded<signature_scale_Tensor, "my::scale.Tensor", ScaleBackward0>>();
// LIBRARY: RecordedInplace<signature_scale__Tensor, "my::scale_.Tensor", ScaleBackward0, "my::scale.Tensor">>();
// LIBRARY: m.never_record<signature_step, "my::step">();

// NONE-NOT: {{_(step|count_bits|less|scale_backward)_backward}}
