// Derivatives: the node of an operator, and the functions that record calls of its functional and in-place variants.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: FileCheck %s --check-prefix=NODE --input-file=%t/out/src/derivative.cpp
// RUN: FileCheck %s --check-prefix=TABLE --input-file=%t/out/src/derivative.tables.cpp
// RUN: printf 'moments\nnoise\nobserve\nplace_\nreset_\nscale\nsquash\ntwice\n' > %t/names
// RUN: xargs -I{} %structured_gen explain --lowered {} %t/out/operators.json < %t/names > %t/lowered.txt
// RUN: FileCheck %s --check-prefix=LOWERED --input-file=%t/lowered.txt --strict-whitespace
// RUN: cat %t/out/src/*.cpp %t/out/operators.cpp %s > %t/all.cpp
// RUN: %gxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp
// RUN: %clangxx -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I%t/out/include %t/all.cpp

#include <structured/number/scalar.h>
#include <structured/core/tensor.h>
#include <structured/iterator/tensor_iterator.h>

#include <array>
#include <tuple>
#include <vector>

namespace acme::kernels {
using structured::Scalar;
using structured::Tensor;

[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(structured::TensorIteratorBase& op, const Tensor& self, const Tensor& factor) {}
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(structured::TensorIteratorBase& op, const Tensor& self, const Tensor& factor, const Tensor& out) {}
[[structured::backward("scale", "self")]]
Tensor scale_self(const Tensor& grad, const Tensor& factor) { return grad; }
[[structured::backward("scale", "factor")]]
Tensor scale_factor(const Tensor& grad, const Tensor& self, const Tensor& out) { return grad; }

[[structured::kernel("join", "CPU", "Meta")]]
Tensor join(structured::TensorList tensors, int64_t dim) { return {}; }
[[structured::backward("join")]]
std::vector<Tensor> join_backward(const Tensor& grad, const std::vector<std::vector<int64_t>>& tensors_sizes,
                                  int64_t dim) { return {}; }

[[structured::kernel("halves", "CPU", "Meta")]]
std::vector<Tensor> halves([[structured::alias("a -> *")]] const Tensor& self) { return {}; }
[[structured::backward("halves")]]
Tensor halves_backward(structured::TensorList grad, structured::IntArrayRef self_sizes) { return {}; }

[[structured::kernel("place_", "CPU", "Meta")]]
Tensor& place_(Tensor& self, int64_t offset) { return self; }
[[structured::backward("place_")]]
Tensor place_backward(const Tensor& grad, structured::IntArrayRef self_strides, int64_t self_storage_offset) { return grad; }

[[structured::kernel("extrema", "CPU", "Meta"), structured::returns("low", "high")]]
std::tuple<Tensor, Tensor> extrema(const Tensor& self, const Tensor& weight) { return {}; }
[[structured::backward("extrema")]]
std::tuple<Tensor, Tensor> extrema_backward(const Tensor& grad_high, const Tensor& high,
                                            std::array<bool, 2> needs_gradient) { return {}; }

[[structured::kernel("reset_", "CPU", "Meta")]]
Tensor& reset_(Tensor& self, const Tensor& value) { return self; }
[[structured::backward("reset_", "value")]]
Tensor reset_value(const Tensor& grad) { return grad; }

[[structured::kernel("observe", "CPU", "Meta"), structured::not_differentiable("count")]]
Tensor observe(const Tensor& self, Tensor& total, [[structured::alias("b!")]] structured::TensorList totals,
               [[structured::alias("c!")]] const std::optional<Tensor>& count) { return {}; }
[[structured::backward("observe")]]
Tensor observe_backward(const Tensor& grad) { return grad; }

[[structured::kernel("moments", "CPU", "Meta"), structured::returns("sum", "square", "size"),
  structured::not_differentiable("size")]]
std::tuple<Tensor, Tensor, Tensor> moments(const Tensor& self) { return {}; }
[[structured::backward("moments")]]
Tensor moments_backward(const Tensor& grad_sum, const std::optional<Tensor>& grad_square) { return grad_sum; }

[[structured::kernel("squash", "CPU", "Meta")]]
Tensor squash(const Tensor& self, const Tensor& factor, const std::optional<Tensor>& bias) { return self; }
[[structured::backward("squash", "self")]]
Tensor squash_self(const Tensor& grad, const std::optional<Tensor>& self, const std::optional<Tensor>& factor,
                   const std::optional<Tensor>& bias) { return grad; }
[[structured::backward("squash", "factor")]]
Tensor squash_factor(const Tensor& grad, const Tensor& self) { return grad; }

[[structured::kernel("noise", "CPU", "Meta"), structured::not_differentiable]]
Tensor noise(const Tensor& self) { return self; }

[[structured::composite("twice")]]
Tensor twice(const Tensor& self) { return self; }

}  // namespace acme::kernels

// A node saves what derivatives take, and calls those whose gradients are needed.
// NODE: struct ExtremaBackward0 final : ::structured::autograd::NodeOf<2, 2> {
// NODE: set_gradients<0, 1>(inputs, ::acme::kernels::extrema_backward(results[1],
// NODE-NEXT: saved_high.get(*this),
// NODE-NEXT: {needs(0), needs(1)}));
// NODE: struct HalvesBackward0 final : ::structured::autograd::DynamicNode {
// NODE: halves_backward({results.data(), results.size()},
// NODE-NEXT: saved_self_sizes.get(*this)));
// NODE: struct JoinBackward0 final : ::structured::autograd::DynamicNode {
// NODE: moments_backward(
// NODE-NEXT: results[0], results[1].defined() ? std::optional<::structured::Tensor>(results[1]) : std::nullopt));
// NODE: struct PlaceBackward0 final
// NODE: ::structured::autograd::SavedStrides<::structured::Tensor&> saved_self_strides;
// NODE-NEXT: ::structured::autograd::SavedStorageOffset<::structured::Tensor&> saved_self_storage_offset;
// NODE: struct ScaleBackward0 final : ::structured::autograd::NodeOf<2> {
// NODE: if (needs(0)) {
// NODE-NEXT: ::structured::autograd::set_gradients<0>(inputs, ::acme::kernels::scale_self(results[0],
// NODE-NEXT: saved_factor.get(*this)));
// NODE: void release_saved() override { ::structured::autograd::release(saved_factor, saved_self, saved_out); }
// A derivative that takes a tensor as an optional can do without it. Others of the operator need not.
// NODE: struct SquashBackward0 final : ::structured::autograd::NodeOf<2> {
// NODE: squash_self(
// NODE-NEXT: results[0], saved_self.get_unless_modified(*this), saved_factor.get_unless_modified(*this),
// NODE-NEXT: saved_bias.get(*this)));
// NODE: squash_factor(results[0],
// NODE-NEXT: saved_self.get(*this)));
// NODE: ::structured::autograd::SavedUnlessModified saved_self;
// NODE-NEXT: ::structured::autograd::SavedUnlessModified saved_factor;
// NODE-NEXT: ::structured::autograd::SavedInput<const std::optional<::structured::Tensor>&> saved_bias;

// NODE: record_extrema(
// NODE: node->saved_high.save_result(std::get<1>(result), 1);
// NODE: set_history(std::get<0>(result), owner);
// NODE-NEXT: set_history(std::get<1>(result), std::move(owner), 1);
// NODE: record_halves(
// NODE: new HalvesBackward0(1, result.size());
// NODE: set_view_history(result, owner);
// NODE: record_join(
// NODE: new JoinBackward0(0 + tensors.size(), 1);
// NODE: connect(*node, 0, tensors, result);
// The derivative does not cover mutable arguments, lists and optional tensors among them.
// NODE: record_observe(
// NODE: check_overwritten("acme::observe", ::structured::autograd::tensors_of(total, totals, count));
// NODE-NEXT: call_backend(op_observe, self, total, totals, count);
// NODE: fail_in_backward("acme::observe", ::structured::autograd::tensors_of(self),
// NODE-NEXT: ::structured::autograd::tensors_of(total, totals));
// NODE: record_scale(
// NODE: auto result = ::structured::autograd::call_backend(op_scale, self, factor);
// NODE-NEXT: if (!::structured::autograd::records(self, factor)) {
// NODE-NEXT: return result;
// NODE: if (node->needs(1)) {
// NODE-NEXT: node->saved_self.save(self);
// NODE: if (node->needs(1)) {
// NODE-NEXT: node->saved_out.save_result(result);
// An in-place variant copies the value that it overwrites.
// NODE: record_scale_(
// NODE: node->saved_self.save(::structured::autograd::copy_of(self));
// NODE: ::structured::autograd::call_backend(op_scale_, self, factor);

// A result that is not differentiable has no history.
//      LOWERED:acme::moments
//      LOWERED:    constant results: 2
//      LOWERED:  recording: record_moments
//      LOWERED:    set_history result 0
// LOWERED-NEXT:    set_history result 1, last
// LOWERED-NEXT:    return result
//      LOWERED:acme::noise
//      LOWERED:  autograd: results require no gradients
// Calls that overwrite an argument without a derivative are recorded only if backward passes can fail.
//      LOWERED:  recording: record_observe
// LOWERED-NEXT:    check_overwritten total, totals, count
// LOWERED-NEXT:    call_backend keep
//      LOWERED:    set_history result, last
// LOWERED-NEXT:    fail_in_backward self through total, totals
// Properties of the overwritten tensor are saved before the call.
//      LOWERED:  recording: record_place_
// LOWERED-NEXT:    unless one requires gradients: self: call_backend return
// LOWERED-NEXT:    check_inplace self
// LOWERED-NEXT:    make_node
// LOWERED-NEXT:    connect 0 self for self
// LOWERED-NEXT:    save self_strides from self
// LOWERED-NEXT:    save self_storage_offset from self
// LOWERED-NEXT:    call_backend
// LOWERED-NEXT:    rebase_history self
// LOWERED-NEXT:    return self
// The history of an overwritten tensor counts, although it has no derivative.
//      LOWERED:  recording: record_reset_
// LOWERED-NEXT:    unless one requires gradients: self, value: call_backend return
//      LOWERED:acme::scale
//      LOWERED:  node: ScaleBackward0
//      LOWERED:    save self: self for the gradients of 1
//      LOWERED:    gradient of 1 if needed: acme::kernels::scale_factor(gradient 0, self, out)
//      LOWERED:acme::scale_
//      LOWERED:    save factor from factor
// LOWERED-NEXT:    save self from a copy of self
// LOWERED-NEXT:    call_backend
// LOWERED-NEXT:    save out from self
//      LOWERED:acme::squash
//      LOWERED:    save self: modifiable self
//      LOWERED:    gradient of 0 if needed: acme::kernels::squash_self(gradient 0, self unless modified, factor unless modified, bias)
//      LOWERED:    gradient of 1 if needed: acme::kernels::squash_factor(gradient 0, self)
//      LOWERED:acme::twice
//      LOWERED:  autograd: records the operators that it calls

// TABLE: op_noise{
// TABLE: .autograd = ::structured::autograd::Unrecorded<op_noise>::call
// TABLE: op_scale{
// TABLE: .autograd = record_scale}
// TABLE: op_scale_out{
// TABLE-NOT: .autograd
// TABLE: op_scale_{
// TABLE: .autograd = record_scale_}
// TABLE: op_twice{
// TABLE: .autograd = ::acme::kernels::twice
