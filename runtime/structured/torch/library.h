#pragma once
// Registration of emitted operators with libtorch's dispatcher. Emitted sources use it; authors need not.
//
// An error in a registration, such as an operator that another library has defined, is reported to standard error, and
// the operator is left out: an exception while a shared library is loaded would end the process.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/torch/batching.h"
#include "structured/torch/functionalize.h"
#include "structured/torch/layers.h"
#include "structured/torch/symbolic.h"

namespace structured::torch {

namespace detail {

/// Returns the tags of libtorch among the given words. Every operator has `pt2_compliant_tag`.
template <class Tag = at::Tag>
std::vector<Tag> known_tags(std::initializer_list<std::string_view> words) {
  std::vector<Tag> tags;
  if constexpr (requires { Tag::pt2_compliant_tag; }) {
    tags.push_back(Tag::pt2_compliant_tag);
  }
  for (const std::string_view word : words) {
#define STRUCTURED_TORCH_TAG(name)                \
  if constexpr (requires { Tag::name; }) {        \
    if (word == #name) tags.push_back(Tag::name); \
  }
    STRUCTURED_TORCH_TAG(core)
    STRUCTURED_TORCH_TAG(pointwise)
    STRUCTURED_TORCH_TAG(inplace_view)
    STRUCTURED_TORCH_TAG(nondeterministic_seeded)
    STRUCTURED_TORCH_TAG(nondeterministic_bitwise)
    STRUCTURED_TORCH_TAG(data_dependent_output)
    STRUCTURED_TORCH_TAG(dynamic_output_shape)
    STRUCTURED_TORCH_TAG(needs_fixed_stride_order)
    STRUCTURED_TORCH_TAG(flexible_layout)
#undef STRUCTURED_TORCH_TAG
  }
  return tags;
}

}  // namespace detail

namespace detail {

/// Returns the message of an exception, without the stack trace that libtorch adds.
inline std::string message_of(const std::exception& error) {
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  return own != nullptr ? own->what_without_backtrace() : error.what();
}

}  // namespace detail

/// Kernels for operators that other libraries define, such as ATen. The registrations last as long as the object.
class Kernels {
 public:
  /// Calls `register_all`, which registers the kernels. `ns` and the names passed to `impl` must be literals.
  Kernels(const char* ns, void (*register_all)(Kernels&))
      : name_(ns), library_(::torch::Library::IMPL, ns, c10::nullopt, ns, 0) {
    register_all(*this);
  }

  template <class F, F* function>
  void impl(const char* name, c10::DispatchKey key) {
    add(name, key, [] { return ::torch::CppFunction(::c10::CompileTimeFunctionPointer<F, function>()); });
  }

 private:
  void add(const char* name, c10::DispatchKey key, ::torch::CppFunction (*make)()) {
    try {
      const std::string_view full = name;
      const std::size_t dot = full.find('.');
      const std::string base = std::string(name_) + "::" + std::string(full.substr(0, dot));
      const std::string overload(dot == std::string_view::npos ? "" : full.substr(dot + 1));
      TORCH_CHECK(c10::Dispatcher::singleton().findSchema({base, overload}),
                  "this PyTorch has no such operator; build the library for the PyTorch that loads it");
      library_.impl(name, ::torch::dispatch(key, make()));
    } catch (const std::exception& error) {
      std::cerr << "structured: cannot register a kernel of " << name_ << "::" << name << ": "
                << detail::message_of(error) << std::endl;
    }
  }

  const char* name_;
  ::torch::Library library_;
};

/// Operators of one namespace. Their registrations last as long as the object.
class Library {
 public:
  /// Calls `register_all`, which registers the operators. `ns` and the names passed to the members must be literals.
  Library(const char* ns, void (*register_all)(Library&))
      : name_(ns), library_(::torch::Library::FRAGMENT, ns, c10::nullopt, ns, 0) {
    register_all(*this);
  }

  /// Defines an operator. Tags that libtorch does not have are ignored.
  void define(const char* schema, std::initializer_list<std::string_view> tags) {
    // The impls of an operator that is not defined would be added to the one with this name.
    const std::vector<at::Tag> known = detail::known_tags(tags);
    is_defined_ = attempt(schema, [&] { library_.def(::torch::schema(schema), known); });
    is_random_ = std::find(tags.begin(), tags.end(), "nondeterministic_seeded") != tags.end();
  }

  /// Registers a kernel for the operator that was defined last.
  template <class F, F* function>
  void impl(const char* name, c10::DispatchKey key) {
    add(name, ::torch::dispatch(key, function));
#if STRUCTURED_TORCH_HAS_BATCHING
    // torch.vmap calls the operators that a composite calls.
    if (key == c10::DispatchKey::CompositeImplicitAutograd) {
      add(name, ::torch::dispatch(c10::DispatchKey::FuncTorchBatchedDecomposition, function));
    }
#endif
  }

  /// Registers a Meta kernel that does not accept symbolic sizes.
  template <class F, F* function>
  void impl_meta(const char* name) {
    impl<F, detail::SymbolicMeta<F, function>::call>(name, c10::DispatchKey::Meta);
  }

  /// Registers kernels for autograd and for versions of mutable arguments. `name` includes the namespace.
  template <class F, Text name>
  void add_layers() {
    using LayersOfName = Layers<F, name>;
    impl<decltype(LayersOfName::without_derivative), LayersOfName::without_derivative>(name.without_namespace(),
                                                                                       c10::DispatchKey::Autograd);
    if constexpr (LayersOfName::is_mutating) {
      impl<decltype(LayersOfName::bump_versions), LayersOfName::bump_versions>(name.without_namespace(),
                                                                               c10::DispatchKey::ADInplaceOrView);
    }
  }

  /// add_layers for a variant with derivatives, whose class `Recorder` records calls.
  template <class F, Text name, class Recorder>
  void add_recorder() {
    using LayersOfName = Layers<F, name>;
    impl<decltype(Recorder::record), Recorder::record>(name.without_namespace(), c10::DispatchKey::Autograd);
    if constexpr (LayersOfName::is_mutating) {
      impl<decltype(LayersOfName::bump_versions), LayersOfName::bump_versions>(name.without_namespace(),
                                                                               c10::DispatchKey::ADInplaceOrView);
    }
  }

  /// Registers the batching rule for torch.vmap. `name` includes the namespace.
  template <Text name>
  void batch() {
#if STRUCTURED_TORCH_HAS_BATCHING
    add(name.without_namespace(),
        ::torch::dispatch(is_random_ ? c10::DispatchKey::FuncTorchVmapMode : c10::DispatchKey::FuncTorchBatched,
                          ::torch::CppFunction::makeFromBoxedFunction<&detail::call_batched>()));
#endif
  }

  /// Lets torch.compile replace the in-place or out= operator by its functional variant. Both names include the
  /// namespace.
  template <Text name, Text functional>
  void functionalize() {
    ::torch::CppFunction kernel = ::torch::CppFunction::makeFromBoxedFunction<&detail::functionalize<functional>>();
    add(name.without_namespace(), ::torch::dispatch(c10::DispatchKey::Functionalize, std::move(kernel)));
  }

 private:
  void add(const char* name, ::torch::CppFunction&& kernel) {
    if (is_defined_) {
      attempt(name, [&] { library_.impl(name, std::move(kernel)); });
    }
  }

  template <class Register>
  bool attempt(const char* what, const Register& register_one) {
    try {
      register_one();
      return true;
    } catch (const std::exception& error) {
      std::cerr << "structured: cannot register " << name_ << "::" << what << ": " << detail::message_of(error)
                << std::endl;
    }
    return false;
  }

  const char* name_;
  bool is_defined_ = false;
  bool is_random_ = false;
  ::torch::Library library_;
};

}  // namespace structured::torch
