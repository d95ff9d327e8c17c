#pragma once
// Adaptors run meta and impl of an operator on outputs that are allocated (Functional), passed by the caller (Out), or
// the first argument (Inplace), with the checks and messages of ATen. Emitted wrappers use them:
//
//     structured::torch::Out<at::TensorIteratorBase, 1> op(out);
//     add_meta(op, self, other, alpha);
//     add_impl(op, self, other, alpha, op.output(0));
//     op.finish();
//
// `Base` is the class that the meta function names. All code is inline, and needs libtorch alone.
#include <ATen/EmptyTensor.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/op_registration/adaption.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/DeviceGuard.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "structured/torch/arguments.h"
#include "structured/torch/symbolic.h"

namespace structured::torch {

/// Throws unless all tensors among the arguments are on one device. `arguments` are names, each followed by its value.
template <class... Arguments>
void check_same_device(const char* kernel, const Arguments&... arguments) {
  c10::optional<at::Device> common;
  const auto check = [&](const auto& self, const char* name, const auto& value, const auto&... rest) -> void {
    visit_tensors(value, [&](const at::Tensor& tensor) {
      c10::impl::check_and_update_common_device(common, tensor, kernel, name);
    });
    if constexpr (sizeof...(rest) > 0) {
      self(self, rest...);
    }
  };
  check(check, arguments...);
}

namespace detail {

inline at::Tensor allocate(at::IntArrayRef sizes, at::IntArrayRef strides, const at::TensorOptions& options) {
  switch (options.device().type()) {
    case at::kCPU:
      return strides.empty() ? at::detail::empty_cpu(sizes, options)
                             : at::detail::empty_strided_cpu(sizes, strides, options);
    case at::kMeta:
      return strides.empty() ? at::detail::empty_meta(sizes, options)
                             : at::detail::empty_strided_meta(sizes, strides, options);
    default:
      return strides.empty() ? at::empty(sizes, options)
                             : at::empty_strided(sizes, strides, options.memory_format(c10::nullopt));
  }
}

/// Resizes the caller's tensor, which must have the dtype and device of the output.
inline void fit_out(const at::Tensor& out, at::IntArrayRef sizes, at::IntArrayRef strides,
                    const at::TensorOptions& options) {
  TORCH_CHECK(options.dtype() == out.dtype(), "Expected out tensor to have dtype ", options.dtype(), ", but got ",
              out.dtype(), " instead");
  TORCH_CHECK(options.device() == out.device(), "Expected out tensor to have device ", options.device(), ", but got ",
              out.device(), " instead");
  if (!at::native::resize_output(out, sizes)) {
    return;
  }
  if (!strides.empty()) {
    out.as_strided_(sizes, strides);
  } else if (options.memory_format_opt()) {
    out.unsafeGetTensorImpl()->empty_tensor_restride(*options.memory_format_opt());
  }
}

/// Checks that `self` has the properties of the output.
inline void check_inplace(const at::Tensor& self, at::IntArrayRef sizes, const at::TensorOptions& options) {
  TORCH_CHECK(options.dtype() == self.dtype(), "Bad in-place call: input tensor dtype ", self.dtype(),
              " and output tensor dtype ", options.dtype(), " should match");
  TORCH_CHECK(options.device() == self.device(), "Bad in-place call: input tensor device ", self.device(),
              " and output tensor device ", options.device(), " should match");
  TORCH_CHECK(sizes == self.sizes(), "Bad in-place call: input tensor size ", self.sizes(), " and output tensor size ",
              sizes, " should match");
}

/// Calls the base's own setter, if it has one: TensorIteratorBase keeps its outputs.
template <class Base, class... Arguments>
void notify(Base& base, int64_t index, const Arguments&... arguments) {
  if constexpr (!std::is_same_v<Base, at::impl::MetaBase>) {
    if constexpr (requires { base.Base::set_output_raw_strided(index, arguments...); }) {
      constexpr bool is_inherited = std::is_same_v<decltype(&Base::set_output_raw_strided),
                                                   decltype(&at::impl::MetaBase::set_output_raw_strided)>;
      if constexpr (!is_inherited) {
        base.Base::set_output_raw_strided(index, arguments...);
      }
    }
  }
}

/// Implements the setters of outputs in terms of `Derived::provide`. libtorch 1.13 has one more parameter, the names of
/// dimensions, which are not supported.
template <class Derived, class Base, class Setter>
class Setters;
template <class Derived, class Base, class... Names>
class Setters<Derived, Base,
              void (at::impl::MetaBase::*)(int64_t, at::IntArrayRef, at::IntArrayRef, at::TensorOptions, Names...)>
    : public Base {
 public:
  void set_output_raw_strided(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, at::TensorOptions options,
                              Names... names) override {
    provide(index, sizes, strides, options, /*is_exact=*/false);
    notify<Base>(*this, index, sizes, strides, options, names...);
  }
  void set_output_strided(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, at::TensorOptions options,
                          Names... names) override {
    provide(index, sizes, strides, options, /*is_exact=*/true);
    notify<Base>(*this, index, sizes, strides, options, names...);
  }
  const at::Tensor& maybe_get_output(int64_t index) override { return derived().output(index); }
  using Base::maybe_get_output;

 protected:
  ~Setters() = default;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  void provide(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, const at::TensorOptions& options,
               bool is_exact) {
    if constexpr (std::is_base_of_v<at::TensorIteratorBase, Base>) {
      note_output(*this, sizes, options);
    }
    derived().provide(index, sizes, strides, options, is_exact);
  }
};

template <class Derived, class Base>
using Adaptor = Setters<Derived, Base, decltype(&at::impl::MetaBase::set_output_strided)>;

/// Whether the base checks overlaps of outputs and inputs itself.
template <class Base>
constexpr bool checks_overlap = std::is_base_of_v<at::TensorIteratorBase, Base>;

}  // namespace detail

/// Allocates outputs.
template <class Base, std::size_t N = 1>
class Functional final : public detail::Adaptor<Functional<Base, N>, Base> {
 public:
  void provide(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, const at::TensorOptions& options,
               bool /*is_exact*/) {
    outputs_.at(static_cast<std::size_t>(index)) = detail::allocate(sizes, strides, options);
  }
  /// Tensor for impl to write. Undefined if meta did not set it.
  const at::Tensor& output(int64_t index) const { return outputs_.at(static_cast<std::size_t>(index)); }

  at::Tensor take_output() && { return std::move(outputs_[0]); }
  /// Returns a std::tuple of N tensors.
  auto take_outputs() && { return std::tuple_cat(std::move(outputs_)); }

 private:
  std::array<at::Tensor, N> outputs_;
};

namespace detail {

/// Outputs that the caller passes, and temporary tensors for impls that need other strides.
template <std::size_t N>
class GivenOutputs {
 public:
  template <class... Tensors>
  explicit GivenOutputs(Tensors&... outputs) : given_{&outputs...} {}

  const at::Tensor& given(std::size_t index) const { return *given_.at(index); }
  const at::Tensor& current(std::size_t index) const {
    return proxies_[index].defined() ? proxies_[index] : *given_[index];
  }
  void require_strides(std::size_t index, at::IntArrayRef sizes, at::IntArrayRef strides,
                       const at::TensorOptions& options) {
    if (given(index).strides() != strides) {
      proxies_[index] = allocate(sizes, strides, options);
    }
  }
  void copy_proxies() const {
    for (std::size_t i = 0; i < N; ++i) {
      if (proxies_[i].defined()) {
        given_[i]->copy_(proxies_[i]);
      }
    }
  }
  void check_disjoint(const at::Tensor& input) const {
    for (const at::Tensor* output : given_) {
      if (input.defined()) at::assert_no_overlap(*output, input);
    }
  }
  void check_self_disjoint() const {
    for (const at::Tensor* output : given_) at::assert_no_internal_overlap(*output);
  }

 private:
  std::array<const at::Tensor*, N> given_;
  std::array<at::Tensor, N> proxies_;
};

}  // namespace detail

/// Writes to tensors of the caller. Resizes those whose sizes differ from meta's, with a warning if they had elements.
template <class Base, std::size_t N = 1>
class Out final : public detail::Adaptor<Out<Base, N>, Base> {
 public:
  /// Takes N tensors, which must outlive this object.
  template <class... Tensors>
    requires(sizeof...(Tensors) == N)
  explicit Out(Tensors&... outputs) : outputs_(outputs...) {}

  void provide(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, const at::TensorOptions& options,
               bool is_exact) {
    const auto i = static_cast<std::size_t>(index);
    detail::fit_out(outputs_.given(i), sizes, strides, options);
    if (is_exact) {
      outputs_.require_strides(i, sizes, strides, options);
    }
  }
  const at::Tensor& output(int64_t index) const { return outputs_.current(static_cast<std::size_t>(index)); }

  /// Throws if an output shares memory with one of the inputs. Call before meta.
  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) {
    if constexpr (!detail::checks_overlap<Base>) {
      (visit_tensors(inputs, [this](const at::Tensor& input) { outputs_.check_disjoint(input); }), ...);
    }
  }
  /// check_inputs for an input that may be an output.
  void check_self(const at::Tensor& self) {
    if constexpr (!detail::checks_overlap<Base>) {
      outputs_.check_self_disjoint();
      for (std::size_t i = 0; i < N; ++i) at::assert_no_partial_overlap(outputs_.given(i), self);
    }
  }
  void finish() const { outputs_.copy_proxies(); }

 private:
  detail::GivenOutputs<N> outputs_;
};

/// Writes to the first argument.
template <class Base>
class Inplace final : public detail::Adaptor<Inplace<Base>, Base> {
 public:
  explicit Inplace(at::Tensor& self) : outputs_(self) {}

  void provide(int64_t index, at::IntArrayRef sizes, at::IntArrayRef strides, const at::TensorOptions& options,
               bool is_exact) {
    const auto i = static_cast<std::size_t>(index);
    detail::check_inplace(outputs_.given(i), sizes, options);
    if (is_exact) {
      outputs_.require_strides(i, sizes, strides, options);
    }
  }
  const at::Tensor& output(int64_t index) const { return outputs_.current(static_cast<std::size_t>(index)); }

  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) {
    if constexpr (!detail::checks_overlap<Base>) {
      outputs_.check_self_disjoint();
      (visit_tensors(inputs,
                     [this](const at::Tensor& input) { at::assert_no_partial_overlap(outputs_.given(0), input); }),
       ...);
    }
  }
  void finish() const { outputs_.copy_proxies(); }

 private:
  detail::GivenOutputs<1> outputs_;
};

}  // namespace structured::torch
