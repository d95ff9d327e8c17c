#pragma once
// Adaptors run meta and impl of an operator's class on outputs that are allocated (Functional), passed by the caller
// (Out), or the first argument (Inplace). Emitted wrappers use them:
//
//     Out<structured_add_Tensor_cpu, 1> op(out);
//     op.meta(self, other, alpha);
//     op.impl(self, other, alpha, op.output(0));
//     op.finish();
//
// `Op` is the operator's class, derived from MetaBase. Hundreds of operators instantiate these templates, so
// adaptors.cpp holds all code that does not depend on `Op`.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/core/tensor.h"
#include "structured/core/tensor_options.h"
#include "structured/kernel/meta_base.h"
#include "structured/kernel/visit_tensors.h"

namespace structured {

namespace detail {

/// Allocates `output`.
STRUCTURED_API void allocate_output(Tensor& output, IntArrayRef sizes, IntArrayRef strides, TensorOptions options);

/// Checks dtype and device of the caller's tensor, resizes it if necessary, and rejects one that overlaps itself.
STRUCTURED_API void fit_out(std::size_t index, const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                            TensorOptions options);

/// fit_out for exact strides. Returns the tensor for the kernel to write: `out`, or `proxy`, which it allocates.
STRUCTURED_API const Tensor* fit_out_strided(std::size_t index, const Tensor& out, Tensor& proxy, IntArrayRef sizes,
                                             IntArrayRef strides, TensorOptions options);

/// Checks that `self` has the properties of the output and does not overlap itself.
STRUCTURED_API void check_inplace(const Tensor& self, IntArrayRef sizes, TensorOptions options);
STRUCTURED_API const Tensor* check_inplace_strided(const Tensor& self, Tensor& proxy, IntArrayRef sizes,
                                                   IntArrayRef strides, TensorOptions options);

/// Throws Error if the caller's tensor `outs[index]` overlaps one of the other outputs in `set` that meta defined.
STRUCTURED_API void check_outputs_disjoint(Tensor* const* outs, const Tensor* const* current, uint32_t set,
                                           std::size_t index);

/// Throws Error if `output`, which a kernel writes, shares memory with `input`, which it reads. Returns whether they
/// are distinct tensors in one storage: resizing one could make them overlap.
STRUCTURED_API bool check_disjoint(const Tensor& output, const Tensor& input);
/// check_disjoint, except that `input` may consist of the same elements as `output`.
STRUCTURED_API bool check_same_or_disjoint(const Tensor& output, const Tensor& input);

/// Copies elements and names of the temporary output `proxy` to the caller's tensor. Defined in iterator/copy.cpp,
/// since copying iterates and kernel/ is below iterator/.
STRUCTURED_API STRUCTURED_COLD void copy_proxy(const Tensor& out, const Tensor& proxy);

[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_output_index(int64_t index, std::size_t count);
// Not STRUCTURED_COLD, see base/export.h: wrappers call it.
[[noreturn]] STRUCTURED_API void throw_output_not_set(std::size_t index);

// How an adaptor notifies the base of an operator's class of an output: depends on the class that overrides
// set_output_raw_strided.
enum class OutputNotification { nothing, by_index, by_description };
template <class C>
constexpr OutputNotification output_notification(void (C::*)(int64_t, IntArrayRef, IntArrayRef, TensorOptions)) {
  if constexpr (std::is_same_v<C, MetaBase>) return OutputNotification::nothing;
  if constexpr (requires { &C::notify_output; }) {
    if constexpr (std::is_same_v<decltype(&C::notify_output), void (C::*)(int64_t, const Tensor&)>) {
      return OutputNotification::by_index;
    }
  }
  return OutputNotification::by_description;
}

/// Base of the adaptors: an operator with `N` outputs and a record of those that are set.
template <class Op, std::size_t N>
class Adaptor : public Op {
  static_assert(N >= 1 && N <= 32, "an operator has 1 to 32 outputs");

 protected:
  ~Adaptor() = default;

  static std::size_t checked(int64_t index) {
    if (static_cast<uint64_t>(index) >= N) [[unlikely]] {
      throw_output_index(index, N);
    }
    return static_cast<std::size_t>(index);
  }

  std::size_t claim(int64_t index) { return this->claim_output(index, N); }

  void notify_base(int64_t index, const Tensor& output, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
    constexpr OutputNotification how = output_notification(&Op::set_output_raw_strided);
    if constexpr (how == OutputNotification::by_index) {
      Op::notify_output(index, output);
    } else if constexpr (how == OutputNotification::by_description) {
      Op::set_output_raw_strided(index, sizes, strides, options);
    }
  }

  void notify_base_like(int64_t index, const Tensor& output) {
    constexpr OutputNotification how = output_notification(&Op::set_output_raw_strided);
    if constexpr (how == OutputNotification::by_index) {
      Op::notify_output(index, output);
    } else if constexpr (how == OutputNotification::by_description) {
      Op::set_output_raw_strided(index, output.sizes(), output.strides(), output.options());
    }
  }

  // Calls `visit(output, input)` for every pair of an output and a tensor among the inputs.
  template <class Visit, class... Inputs>
  static void for_each_pair(Tensor* const* outputs, const Visit& visit, const Inputs&... inputs) {
    for (std::size_t i = 0; i < N; ++i) {
      (visit_tensors(inputs, [&](const Tensor& input) { visit(*outputs[i], input); }), ...);
    }
  }

  void require_set(std::size_t index) const {
    if (!this->is_output_set(static_cast<int64_t>(index))) [[unlikely]] {
      throw_output_not_set(index);
    }
  }
};

}  // namespace detail

/// Allocates outputs. Throws Error, from `output` and `take_*`, if meta left an output unset.
template <class Op, std::size_t N = 1>
class Functional final : public detail::Adaptor<Op, N> {
 public:
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    Tensor& output = outputs_[this->claim(index)];
    detail::allocate_output(output, sizes, strides, options);
    this->notify_base(index, output, sizes, strides, options);
  }
  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    Tensor& output = outputs_[this->claim(index)];
    detail::allocate_output(output, sizes, strides, options);
    this->notify_base(index, output, sizes, strides, options);
  }
  void set_output_like(int64_t index, const Tensor& like) override {
    Tensor& output = outputs_[this->claim(index)];
    output = Tensor::adopt(TensorImpl::create_like(*like.impl()));
    this->notify_base_like(index, output);
  }
  void set_output_undefined(int64_t index) override { this->claim(index); }
  const Tensor& maybe_get_output(int64_t index) override { return outputs_[this->checked(index)]; }
  using MetaBase::maybe_get_output;

  /// Tensor for impl to write.
  const Tensor& output(std::size_t index) const {
    this->require_set(index);
    return outputs_[index];
  }

  Tensor take_output() && {
    static_assert(N == 1, "one output");  // not a constraint: g++ and clang++ mangle it differently
    this->require_set(0);
    return std::move(outputs_[0]);
  }

  /// Returns a std::tuple of N tensors.
  auto take_outputs() && { return take(std::make_index_sequence<N>{}); }

 private:
  template <std::size_t... I>
  auto take(std::index_sequence<I...>) {
    (this->require_set(I), ...);
    return std::make_tuple(std::move(outputs_[I])...);
  }

  Tensor outputs_[N];
};

// The adaptor of most meta functions is instantiated in the runtime.
extern template class STRUCTURED_API Functional<MetaBase, 1>;

/// Writes to tensors of the caller. Resizes those whose sizes differ from meta's, with a warning if they had elements.
/// Throws Error if one has another dtype or device than meta requires, overlaps itself or overlaps another output.
template <class Op, std::size_t N = 1>
class Out final : public detail::Adaptor<Op, N> {
 public:
  static constexpr std::size_t kOutputs = N;

  /// Takes N tensors, which must outlive this object, as must the inputs to check.
  template <class... Tensors>
    requires(sizeof...(Tensors) == N)
  explicit Out(Tensors&... outs) : outs_{&outs...}, current_{&outs...} {}

  /// Throws Error if an output shares memory with one of the inputs. Call before meta.
  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) {
    check_with<detail::check_disjoint>(inputs...);
  }
  /// Check for the input that the kernel may overwrite while it reads it, since the operator has an in-place variant.
  void check_self(const Tensor& self) { check_with<detail::check_same_or_disjoint>(self); }

  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    const std::size_t place = this->claim(index);
    detail::fit_out(place, *outs_[place], sizes, strides, options);
    learn(index, sizes, strides, options);
  }
  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    const std::size_t place = this->claim(index);
    current_[place] = detail::fit_out_strided(place, *outs_[place], proxies_[place], sizes, strides, options);
    learn(index, sizes, strides, options);
  }
  void set_output_undefined(int64_t index) override {
    const std::size_t place = this->claim(index);
    current_[place] = &proxies_[place];
  }
  const Tensor& maybe_get_output(int64_t index) override { return *current_[this->checked(index)]; }
  using MetaBase::maybe_get_output;

  /// Tensor for impl to write: the caller's, or a temporary.
  const Tensor& output(std::size_t index) const {
    this->require_set(index);
    return *current_[index];
  }

  /// Call after impl: copies temporaries to the caller's tensors and bumps the versions of the written tensors.
  void finish() {
    for (std::size_t i = 0; i < N; ++i) {
      this->require_set(i);
      if (current_[i] != outs_[i]) [[unlikely]] {
        if (!proxies_[i].defined()) {
          continue;
        }
        detail::copy_proxy(*outs_[i], proxies_[i]);
      }
      outs_[i]->impl()->storage().bump_version();  // defined, since it is set
    }
  }

 private:
  using Check = bool (*)(const Tensor& output, const Tensor& input);
  struct Neighbour {
    Check check;
    const Tensor* input;
  };
  struct Nothing {};

  template <Check check, class... Inputs>
  void check_with(const Inputs&... inputs) {
    if constexpr (!Op::checks_overlap) {
      this->for_each_pair(
          outs_,
          [this](const Tensor& output, const Tensor& input) {
            if (check(output, input)) [[unlikely]]
              add_neighbour({check, &input});
          },
          inputs...);
    }
  }

  STRUCTURED_COLD void add_neighbour(Neighbour neighbour) {
    if (neighbours_ == nullptr) neighbours_ = std::make_unique<std::vector<Neighbour>>();
    neighbours_->push_back(neighbour);
  }

  void learn(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) {
    if constexpr (!Op::checks_overlap) {
      if (neighbours_ != nullptr) [[unlikely]] {
        for (const Neighbour& neighbour : *neighbours_) neighbour.check(*outs_[index], *neighbour.input);
      }
    }
    if constexpr (N > 1) {
      detail::check_outputs_disjoint(outs_, current_, this->outputs_set(), static_cast<std::size_t>(index));
    }
    this->notify_base(index, *current_[index], sizes, strides, options);
  }

  Tensor* outs_[N];
  const Tensor* current_[N];  // the caller's tensor or the temporary of each output
  Tensor proxies_[N];
  // Inputs in the storage of an output, which may overlap it after a resize.
  [[no_unique_address]] std::conditional_t<Op::checks_overlap, Nothing, std::unique_ptr<std::vector<Neighbour>>>
      neighbours_;
};

/// Writes to the first argument. Throws Error if its shape, dtype or device differ from meta's, or if it overlaps
/// itself.
template <class Op>
class Inplace final : public detail::Adaptor<Op, 1> {
 public:
  /// `self` must outlive this object.
  explicit Inplace(Tensor& self) : self_(&self), current_(&self) {}

  /// Throws Error if `self` shares memory with one of the other inputs. Call before meta.
  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) const {
    if constexpr (!Op::checks_overlap) this->for_each_pair(&self_, detail::check_disjoint, inputs...);
  }

  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    this->claim(index);
    detail::check_inplace(*self_, sizes, options);
    this->notify_base(index, *current_, sizes, strides, options);
  }
  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides, TensorOptions options) override {
    this->claim(index);
    current_ = detail::check_inplace_strided(*self_, proxy_, sizes, strides, options);
    this->notify_base(index, *current_, sizes, strides, options);
  }
  void set_output_undefined(int64_t index) override {
    this->claim(index);
    current_ = &proxy_;
  }
  const Tensor& maybe_get_output(int64_t index) override {
    this->checked(index);
    return *current_;
  }
  using MetaBase::maybe_get_output;

  /// Tensor for impl to write: `self`, or a temporary.
  const Tensor& output(std::size_t index) const {
    this->require_set(index);
    return *current_;
  }

  /// Call after impl: copies a temporary to `self` and bumps the version of `self`, unless meta left the output
  /// undefined.
  void finish() {
    this->require_set(0);
    if (current_ != self_) [[unlikely]] {
      if (!proxy_.defined()) {
        return;
      }
      detail::copy_proxy(*self_, proxy_);
    }
    self_->impl()->storage().bump_version();
  }

 private:
  Tensor* self_;
  const Tensor* current_;
  Tensor proxy_;
};

}  // namespace structured
