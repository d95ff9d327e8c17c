#pragma once
// Adaptors run meta and impl of an operator on outputs that are allocated (Functional), passed by the caller (Out), or
// the first argument (Inplace), with the checks and messages of ATen. Emitted wrappers use them as those of
// structured/torch/adaptors.h; they need the stable ABI alone.
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/meta_base.h"
#include "structured/torch_stable/overlap.h"

namespace structured::torch_stable {

/// Calls `visit(tensor)` for the defined tensors of an argument of any type.
template <class Argument, class Visit>
void visit_tensors(const Argument& argument, const Visit& visit) {
  if constexpr (std::is_same_v<Argument, Tensor>) {
    if (argument.defined()) visit(argument);
  } else if constexpr (detail::holds_tensors<Argument> && requires { argument.has_value(); }) {
    if (argument.has_value()) visit_tensors(*argument, visit);
  } else if constexpr (detail::holds_tensors<Argument>) {
    for (const auto& element : argument) visit_tensors(element, visit);
  }
}

/// Returns the first defined tensor of the arguments.
template <class... Arguments>
std::optional<Tensor> device_of(const Arguments&... arguments) {
  std::optional<Tensor> first;
  (visit_tensors(arguments,
                 [&](const Tensor& tensor) {
                   if (!first) first = tensor;
                 }),
   ...);
  return first;
}

/// Makes the device of a tensor current until the end of the scope.
class OptionalDeviceGuard {
 public:
  explicit OptionalDeviceGuard(const std::optional<Tensor>& tensor) {
    if (tensor.has_value()) guard_.emplace(tensor->get_device_index());
  }

 private:
  std::optional<::torch::stable::accelerator::DeviceGuard> guard_;
};

namespace detail {

inline bool has_device(const Tensor& tensor, const OutputOptions& options) {
  const OutputOptions own = options_of(tensor);
  return own.device_type == options.device_type && own.device_index == options.device_index;
}

inline std::string text_of(IntHeaderOnlyArrayRef values) {
  std::ostringstream text;
  for (std::size_t i = 0; i < values.size(); ++i) text << (i == 0 ? "[" : ", ") << values[i];
  return values.empty() ? "[]" : text.str() + "]";
}

}  // namespace detail

/// Throws unless all tensors among the arguments are on one device. `arguments` are names, each followed by its value.
template <class... Arguments>
void check_same_device(const char* kernel, const Arguments&... arguments) {
  std::optional<OutputOptions> common;
  const auto check = [&](const auto& self, const char* name, const auto& value, const auto&... rest) -> void {
    visit_tensors(value, [&](const Tensor& tensor) {
      if (!common) common = options_of(tensor);
      STD_TORCH_CHECK(detail::has_device(tensor, *common), "Expected all tensors to be on the same device, but `", name,
                      "` is on another one (when checking argument for argument ", name, " in method ", kernel, ")");
    });
    if constexpr (sizeof...(rest) > 0) {
      self(self, rest...);
    }
  };
  check(check, arguments...);
}

namespace detail {

/// Resizes the caller's tensor, with PyTorch's warning if it has elements. It must have the dtype and device of the
/// output.
inline void fit_out(Tensor& out, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                    const OutputOptions& options) {
  STD_TORCH_CHECK(out.scalar_type() == options.scalar_type, "Expected out tensor to have dtype ",
                  ::torch::headeronly::toString(options.scalar_type), ", but got ",
                  ::torch::headeronly::toString(out.scalar_type()), " instead");
  STD_TORCH_CHECK(has_device(out, options), "Expected out tensor to be on the device of the inputs");
  if (is_equal(out.sizes(), sizes)) return;
  if (out.numel() != 0) {
    const std::string text = "An output with one or more elements was resized since it had shape " +
                             text_of(out.sizes()) + ", which does not match the required output shape " +
                             text_of(sizes) +
                             ". This behavior is deprecated, and in a future PyTorch release outputs will not be "
                             "resized unless they have zero elements. You can explicitly reuse an out tensor t by "
                             "resizing it, inplace, to zero elements with t.resize_(0).";
    aoti_torch_warn("fit_out", __FILE__, __LINE__, text.c_str());
  }
  call_operator<Tensor>("aten::resize_", "", out, to_vector(sizes), std::nullopt);
  if (!strides.empty()) {
    call_operator<Tensor>("aten::as_strided_", "", out, to_vector(sizes), to_vector(strides), std::nullopt);
  }
}

/// Checks that `self` has the properties of the output.
inline void check_inplace(const Tensor& self, IntHeaderOnlyArrayRef sizes, const OutputOptions& options) {
  STD_TORCH_CHECK(self.scalar_type() == options.scalar_type, "Bad in-place call: input tensor dtype ",
                  ::torch::headeronly::toString(self.scalar_type()), " and output tensor dtype ",
                  ::torch::headeronly::toString(options.scalar_type), " should match");
  STD_TORCH_CHECK(has_device(self, options), "Bad in-place call: input and output tensors should be on one device");
  STD_TORCH_CHECK(is_equal(self.sizes(), sizes), "Bad in-place call: input tensor size ", text_of(self.sizes()),
                  " and output tensor size ", text_of(sizes), " should match");
}

/// Implements the setters of outputs in terms of `Derived::provide`.
template <class Derived, class Base>
class Setters : public Base {
 public:
  void set_output_raw_strided(int64_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                              const OutputOptions& options) override {
    static_cast<Derived&>(*this).provide(static_cast<std::size_t>(index), sizes, strides, options, /*is_exact=*/false);
  }
  void set_output_strided(int64_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                          const OutputOptions& options) override {
    static_cast<Derived&>(*this).provide(static_cast<std::size_t>(index), sizes, strides, options, /*is_exact=*/true);
  }
  const Tensor& maybe_get_output(int64_t index) const override {
    return static_cast<const Derived&>(*this).output(static_cast<std::size_t>(index));
  }

 protected:
  ~Setters() = default;
};

/// Whether the base checks overlaps of outputs and inputs itself.
template <class Base>
constexpr bool checks_overlap = requires { typename Base::ChecksOverlap; };

/// Outputs that the caller passes, and temporary tensors for impls that need other strides.
template <std::size_t N>
class GivenOutputs {
 public:
  template <class... Tensors>
  explicit GivenOutputs(Tensors&... outputs) : given_{&outputs...} {}

  Tensor& given(std::size_t index) const { return *given_.at(index); }
  const Tensor& current(std::size_t index) const { return proxies_.at(index) ? *proxies_[index] : *given_[index]; }
  void require_strides(std::size_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                       const OutputOptions& options) {
    if (!strides.empty() && !is_equal(given(index).strides(), strides)) {
      proxies_[index] = allocate(sizes, strides, options);
    }
  }
  void copy_proxies() const {
    for (std::size_t i = 0; i < N; ++i) {
      if (proxies_[i]) ::torch::stable::copy_(*given_[i], *proxies_[i]);
    }
  }

 private:
  std::array<Tensor*, N> given_;
  std::array<std::optional<Tensor>, N> proxies_;
};

}  // namespace detail

/// Allocates outputs.
template <class Base, std::size_t N = 1>
class Functional final : public detail::Setters<Functional<Base, N>, Base> {
 public:
  void provide(std::size_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
               const OutputOptions& options, bool /*is_exact*/) {
    outputs_.at(index) = detail::allocate(sizes, strides, options);
  }
  /// Tensor for impl to write. Undefined if meta did not set it.
  const Tensor& output(std::size_t index) const { return outputs_.at(index); }

  Tensor take_output() && { return std::move(outputs_[0]); }
  /// Returns a std::tuple of N tensors.
  auto take_outputs() && { return std::tuple_cat(std::move(outputs_)); }

 private:
  std::array<Tensor, N> outputs_;
};

/// Writes to tensors of the caller. Resizes those whose sizes differ from meta's, with a warning if they had elements.
template <class Base, std::size_t N = 1>
class Out final : public detail::Setters<Out<Base, N>, Base> {
 public:
  /// Takes N tensors, which must outlive this object.
  template <class... Tensors>
    requires(sizeof...(Tensors) == N)
  explicit Out(Tensors&... outputs) : outputs_(outputs...) {}

  void provide(std::size_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
               const OutputOptions& options, bool is_exact) {
    detail::fit_out(outputs_.given(index), sizes, strides, options);
    if (is_exact) outputs_.require_strides(index, sizes, strides, options);
  }
  const Tensor& output(std::size_t index) const { return outputs_.current(index); }

  /// Throws if an output shares memory with one of the inputs. Call before meta.
  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) {
    if constexpr (!detail::checks_overlap<Base>) {
      (visit_tensors(inputs,
                     [this](const Tensor& input) {
                       for (std::size_t i = 0; i < N; ++i) detail::assert_no_overlap(outputs_.given(i), input);
                     }),
       ...);
    }
  }
  /// check_inputs for an input that may be an output.
  void check_self(const Tensor& self) {
    if constexpr (!detail::checks_overlap<Base>) {
      for (std::size_t i = 0; i < N; ++i) {
        detail::assert_no_internal_overlap(outputs_.given(i));
        detail::assert_no_partial_overlap(outputs_.given(i), self);
      }
    }
  }
  void finish() const { outputs_.copy_proxies(); }

 private:
  detail::GivenOutputs<N> outputs_;
};

/// Writes to the first argument.
template <class Base>
class Inplace final : public detail::Setters<Inplace<Base>, Base> {
 public:
  explicit Inplace(Tensor& self) : outputs_(self) {}

  void provide(std::size_t index, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
               const OutputOptions& options, bool is_exact) {
    detail::check_inplace(outputs_.given(index), sizes, options);
    if (is_exact) outputs_.require_strides(index, sizes, strides, options);
  }
  const Tensor& output(std::size_t index) const { return outputs_.current(index); }

  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) {
    if constexpr (!detail::checks_overlap<Base>) {
      detail::assert_no_internal_overlap(outputs_.given(0));
      (visit_tensors(inputs,
                     [this](const Tensor& input) { detail::assert_no_partial_overlap(outputs_.given(0), input); }),
       ...);
    }
  }
  void finish() const { outputs_.copy_proxies(); }

 private:
  detail::GivenOutputs<1> outputs_;
};

}  // namespace structured::torch_stable
