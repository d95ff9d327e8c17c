// Derivatives of operators for libtorch: the nodes of recorded calls, and their registration.
// RUN: rm -rf %t.gen
// RUN: %structured_gen scan --dialect=torch --namespace=my --source-root %S -o %t.json %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime
// RUN: %structured_gen emit --namespace=my --source-root %S --output-dir %t.gen %t.json
// RUN: FileCheck %s < %t.gen/library.cpp
// RUN: FileCheck --check-prefix=OPS %s < %t.gen/include/my/ops.h
// RUN: %structured_gen explain --lowered scale %t.gen/operators.json | FileCheck --check-prefix=LOWERED %s
#include "aten_mock.h"

namespace kernels {

[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& factor, double power = 1);
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(at::TensorIteratorBase& op, const at::Tensor& self, const at::Tensor& factor, double power,
               const at::Tensor& out);

// CHECK: #include <structured/torch/autograd.h>
// CHECK: #include <structured/torch/saved.h>
// CHECK: ::at::Tensor scale_factor(const ::at::Tensor&, const ::at::Tensor&, const ::at::Tensor&);
// CHECK: ::at::Tensor scale_self(const ::at::Tensor&, const ::at::Tensor&, double);
[[structured::backward("scale", "self")]]
at::Tensor scale_self(const at::Tensor& grad, const at::Tensor& factor, double power);
[[structured::backward("scale", "factor")]]
at::Tensor scale_factor(const at::Tensor& grad, const at::Tensor& self, const at::Tensor& out);

[[structured::kernel("narrow", "CPU", "Meta")]] at::Tensor narrow(const at::Tensor& self, c10::SymInt size);
[[structured::backward("narrow")]] at::Tensor narrow_backward(const at::Tensor& grad, c10::SymIntArrayRef self_sizes,
                                                              c10::SymInt size);

// The unambiguous names of the gradient and of an input `grad`.
[[structured::kernel("power_backward", "CPU", "Meta")]] at::Tensor power_backward(const at::Tensor& grad);
[[structured::backward("power_backward")]] at::Tensor power_second(const at::Tensor& grad_out,
                                                                   const at::Tensor& input_grad);

// Two lists of tensors, one of them optional.
[[structured::kernel("weigh", "CPU", "Meta")]]
at::Tensor weigh(at::TensorList left, const at::Tensor& weight, c10::optional<at::TensorList> right);
[[structured::backward("weigh", "left", "right")]]
std::tuple<std::vector<at::Tensor>, std::vector<at::Tensor>> weigh_lists(const at::Tensor& grad, at::TensorList left,
                                                                         const at::Tensor& weight);

// A derivative that can do without a tensor. An optional tensor is passed as it is.
[[structured::kernel("squash", "CPU", "Meta")]]
at::Tensor squash(const at::Tensor& self, const c10::optional<at::Tensor>& bias);
[[structured::backward("squash", "self")]]
at::Tensor squash_self(const at::Tensor& grad, const c10::optional<at::Tensor>& self,
                       const c10::optional<at::Tensor>& bias, const at::Tensor& out);

// A view has no node of its own.
[[structured::kernel("rows", "CPU", "Meta")]] at::Tensor rows([[structured::alias("a")]] const at::Tensor& self);
[[structured::backward("rows")]] at::Tensor rows_backward(const at::Tensor& grad);

// Values keep the types of the kernels, such as symbolic integers.
// CHECK: struct NarrowBackward0 final : ::structured::torch::BackwardNode {
// CHECK: void save([[MAYBE_UNUSED:\[\[maybe_unused\]\]]] const ::at::Tensor& self, [[MAYBE_UNUSED]] ::c10::SymInt size) {
// CHECK-NEXT: saved_self_sizes.save(self);
// CHECK-NEXT: saved_size.save(size);
// CHECK: ::structured::torch::SavedSizes<const ::at::Tensor&> saved_self_sizes;
// CHECK-NEXT: ::structured::torch::SavedInput<::c10::SymInt> saved_size;

// CHECK: struct PowerBackwardBackward0 final
// CHECK: set_gradients<0>(inputs, ::kernels::power_second(results[0], saved_input_grad.get(*this)));
// CHECK: saved_input_grad.save(grad);

// CHECK: // Recorded calls of scale(Tensor self, Tensor factor, float power=1) -> Tensor.
// CHECK-NEXT: struct ScaleBackward0 final : ::structured::torch::BackwardNode {
// CHECK-NEXT:   using Differentiable = std::index_sequence<0, 1>;
// CHECK:   std::string name() const override { return "ScaleBackward0"; }
// CHECK-NEXT:   void compute(
// CHECK:     if (needs(1)) {
// CHECK-NEXT: set_gradients<1>(inputs, ::kernels::scale_factor(results[0], saved_self.get(*this), saved_out.get(*this)));
// CHECK:   void save(
// CHECK:     if (may_need(1)) {
// CHECK-NEXT:       saved_self.save(self);
// CHECK:   void save_results([[MAYBE_UNUSED]] ::at::Tensor& result) {
// CHECK-NEXT:     if (may_need(1)) {
// CHECK-NEXT:       saved_out.save(result);
// CHECK:   void release_variables() override {
// CHECK-NEXT:     const std::lock_guard<std::mutex> lock(mutex_);
// CHECK-NEXT:     ::structured::torch::release(

// CHECK: struct SquashBackward0 final
// CHECK: ::kernels::squash_self(results[0], saved_self.get_unless_modified(*this),
// CHECK-NEXT: saved_bias.get(*this), saved_out.get(*this)));
// CHECK: ::structured::torch::SavedUnlessModified saved_self;
// CHECK-NEXT: ::structured::torch::SavedInput<const ::c10::optional<::at::Tensor>&> saved_bias;

// CHECK: struct WeighBackward0 final
// CHECK-NEXT: using Differentiable = std::index_sequence<0, 2>;
// CHECK: set_gradients<0, 1>(inputs, ::kernels::weigh_lists(results[0], saved_left.get(*this), saved_weight.get(*this)));

// CHECK: m.add_layers<signature_rows, "my::rows">();
// CHECK: m.add_recorder<signature_scale, "my::scale",
// CHECK-NEXT: ::structured::torch::Recorded<signature_scale, "my::scale", ScaleBackward0>>();
// CHECK: m.add_layers<signature_scale_out, "my::scale.out">();
// CHECK: m.add_recorder<signature_scale_, "my::scale_",
// CHECK: ::structured::torch::RecordedInplace<signature_scale_, "my::scale_", ScaleBackward0, "my::scale">>();

}  // namespace kernels

// OPS: #pragma once
// OPS: #include <structured/torch/call_operator.h>
// OPS: namespace my::ops {
// OPS: /// `narrow(Tensor self, SymInt size) -> Tensor`
// OPS-NEXT: inline ::at::Tensor narrow(const ::at::Tensor& self, ::c10::SymInt size) {
// OPS-NEXT: return ::structured::torch::call_operator<::at::Tensor(const ::at::Tensor&, ::c10::SymInt), "my::narrow">(
// OPS: inline ::at::Tensor scale(const ::at::Tensor& self, const ::at::Tensor& factor, double power = 1) {
// OPS: /// `scale.out(
// OPS-NEXT: inline ::at::Tensor& scale_out(const ::at::Tensor& self, const ::at::Tensor& factor, double power, ::at::Tensor& out) {
// OPS: inline ::at::Tensor& scale_(::at::Tensor& self, const ::at::Tensor& factor, double power = 1) {

// LOWERED: my::scale
// LOWERED: node: ScaleBackward0
// LOWERED: layers: records, batches
// LOWERED: my::scale.out
// LOWERED: layers: without derivative, functionalizes
// LOWERED: my::scale_
// LOWERED: layers: records in place, batches, functionalizes
