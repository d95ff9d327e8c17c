#pragma once
// Registration of emitted operators with libtorch's dispatcher. Emitted sources use it; authors need not.
//
// An error in a registration, such as an operator that another library has defined, is reported to standard error, and
// the operator is left out: an exception while a shared library is loaded would end the process. The library's Python
// package reads the errors by structured_load_errors() and raises an ImportError.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/version.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/functionalize.h"
#include "structured/torch/layers.h"
#include "structured/torch/symbolic.h"

// PyTorch 1.13 has functions for batching rules with other types.
#define STRUCTURED_TORCH_HAS_BATCHING (TORCH_VERSION_MAJOR >= 2)

namespace structured::torch {

namespace detail {

/// A kernel, and the type of a function that is not boxed.
struct Kernel {
  c10::KernelFunction function;
  c10::optional<c10::impl::CppSignature> signature;
};

// Code that depends on the type of the function alone is compiled once for each type.
template <class F>
[[gnu::noinline]] Kernel kernel_of(F* function) {
  return {c10::KernelFunction::makeFromUnboxedRuntimeFunction(function), c10::impl::CppSignature::make<F>()};
}

/// A kernel that is an object, of a class with the function type `Function`.
template <class Object>
Kernel kernel_of(std::unique_ptr<Object> object) {
  return {c10::KernelFunction::makeFromUnboxedFunctor<false, Object>(std::move(object)),
          c10::impl::CppSignature::make<typename Object::Function>()};
}

/// Registrations with libtorch's dispatcher, which last as long as the object. Errors are printed. Kernels have the
/// types of their schemas by construction, so that the dispatcher need not compare a schema that it infers from each.
class Registrations {
 public:
  explicit Registrations(const char* ns);

  /// An operator that was defined. The name is empty if it could not be defined.
  struct Definition {
    c10::OperatorName name{"", ""};
    bool is_mutating = false;  // has mutable arguments
  };

  /// Defines an operator with the tags of libtorch among the given words, and `pt2_compliant_tag`.
  Definition define(const char* schema, std::initializer_list<std::string_view> tags);
  /// Adds a kernel of an operator of this library.
  void add(const c10::OperatorName& name, c10::DispatchKey key, Kernel&& kernel);
  /// Adds a kernel of an operator that another library defines: `add.Tensor`.
  void add_to_other(const char* name, c10::DispatchKey key, Kernel&& kernel);

 private:
  std::string namespace_;
  std::string origin_;  // for PyTorch's messages: "registered at /path/of/libmy_ops.so"
  std::vector<c10::RegistrationHandleRAII> all_;
};

/// The kernel of a functional or in-place operator for the key FuncTorchBatched, and of a random operator for the key
/// FuncTorchVmapMode, which also has calls without batched arguments.
void call_batched(const c10::OperatorHandle& op, c10::DispatchKeySet, ::torch::jit::Stack* stack);

}  // namespace detail

/// Kernels for operators that other libraries define, such as ATen. The registrations last as long as the object.
class Kernels {
 public:
  /// Calls `register_all`, which registers the kernels.
  Kernels(const char* ns, void (*register_all)(Kernels&)) : registrations_(ns) { register_all(*this); }

  template <class F, F* function>
  void impl(const char* name, c10::DispatchKey key) {
    registrations_.add_to_other(name, key, detail::kernel_of<F>(function));
  }

 private:
  detail::Registrations registrations_;
};

/// Operators of one namespace. Their registrations last as long as the object.
class Library {
 public:
  /// Calls `register_all`, which registers the operators.
  Library(const char* ns, void (*register_all)(Library&)) : registrations_(ns) { register_all(*this); }

  /// Defines an operator, to which the other members add kernels. Tags that libtorch does not have are ignored.
  void define(const char* schema, std::initializer_list<std::string_view> tags) {
    last_ = registrations_.define(schema, tags);
    is_random_ = std::find(tags.begin(), tags.end(), "nondeterministic_seeded") != tags.end();
  }

  template <class F, F* function>
  void impl(c10::DispatchKey key) {
    add(key, detail::kernel_of<F>(function));
#if STRUCTURED_TORCH_HAS_BATCHING
    // torch.vmap calls the operators that a composite calls. PyTorch before 2.10 would loop over the batch by itself.
    if (key == c10::DispatchKey::CompositeImplicitAutograd) {
      add(c10::DispatchKey::FuncTorchBatched, detail::kernel_of<F>(function));
    }
#endif
  }

  /// Adds the composite kernel of a class, whose objects are made from a handle of the operator `opaque`, which
  /// includes the namespace, and the arguments.
  template <class Composite, class... Arguments>
  void impl_composite(std::string_view opaque, const Arguments&... arguments) {
    if (last_.name.name.empty()) return;
    const c10::OperatorHandle target = detail::find_operator_handle(opaque);
    const auto make = [&] { return detail::kernel_of(std::make_unique<Composite>(target, arguments...)); };
    add(c10::DispatchKey::CompositeImplicitAutograd, make());
#if STRUCTURED_TORCH_HAS_BATCHING
    add(c10::DispatchKey::FuncTorchBatched, make());
#endif
  }

  /// Adds kernels for torch.autocast, objects of a class that are made from a handle of the operator that was defined
  /// last, the rule and the device.
  template <class Autocast, class Rule>
  void impl_autocast(Rule rule) {
    if (last_.name.name.empty()) return;
    const c10::OperatorHandle op =
        c10::Dispatcher::singleton().findSchemaOrThrow(last_.name.name.c_str(), last_.name.overload_name.c_str());
    add(c10::DispatchKey::AutocastCPU, detail::kernel_of(std::make_unique<Autocast>(op, rule, c10::DeviceType::CPU)));
    add(c10::DispatchKey::AutocastCUDA, detail::kernel_of(std::make_unique<Autocast>(op, rule, c10::DeviceType::CUDA)));
  }

  /// Registers a Meta kernel for calls of the type F in terms of a function that takes numbers. `symbolic` names the
  /// operator that takes symbols, of a variant of this form.
  template <class F, auto* function>
  void impl_meta([[maybe_unused]] const char* symbolic = nullptr,
                 [[maybe_unused]] Variant variant = Variant::functional) {
#if STRUCTURED_TORCH_HAS_SYMBOLS
    detail::SymbolicMeta<F, function>::name() = last_.name;
    detail::SymbolicMeta<F, function>::symbolic() = {symbolic, variant};
#endif
    constexpr auto* kernel = detail::SymbolicMeta<F, function>::call;
    impl<std::remove_pointer_t<decltype(kernel)>, kernel>(c10::DispatchKey::Meta);
  }

  /// Registers kernels for autograd and for versions of mutable arguments. `name` includes the namespace.
  template <class F, Text name>
  void add_layers() {
    add_autograd<Layers<F, name>, Layers<F, name>::without_derivative>();
  }

  /// add_layers for a functional variant that is not differentiable: its results never require gradients.
  template <class F, Text name>
  void never_record() {
    add_autograd<Layers<F, name>, Layers<F, name>::not_differentiable>();
  }

  /// add_layers for a variant with derivatives, whose class `Recorder` records calls.
  template <class F, Text name, class Recorder>
  void add_recorder() {
    add_autograd<Layers<F, name>, Recorder::record>();
  }

  /// Registers the batching rule for torch.vmap.
  void batch() {
#if STRUCTURED_TORCH_HAS_BATCHING
    add(is_random_ ? c10::DispatchKey::FuncTorchVmapMode : c10::DispatchKey::FuncTorchBatched,
        {c10::KernelFunction::makeFromBoxedFunction<&detail::call_batched>(), c10::nullopt});
#endif
  }

  /// Lets torch.compile replace the in-place or out= operator by its functional variant, whose name includes the
  /// namespace.
  template <Text functional>
  void functionalize() {
    add(c10::DispatchKey::Functionalize,
        {c10::KernelFunction::makeFromBoxedFunction<&detail::functionalize<functional>>(), c10::nullopt});
  }

 private:
  template <class LayersOfName, auto* function>
  void add_autograd() {
    impl<std::remove_pointer_t<decltype(function)>, function>(c10::DispatchKey::Autograd);
    if constexpr (LayersOfName::may_be_mutating) {
      if (!last_.is_mutating) return;
      impl<decltype(LayersOfName::bump_versions), LayersOfName::bump_versions>(c10::DispatchKey::ADInplaceOrView);
    }
  }

  void add(c10::DispatchKey key, detail::Kernel&& kernel) {
    // The impls of an operator that is not defined would be added to the one with this name.
    if (!last_.name.name.empty()) registrations_.add(last_.name, key, std::move(kernel));
  }

  detail::Registrations::Definition last_;  // the operator that was defined last
  bool is_random_ = false;
  detail::Registrations registrations_;
};

}  // namespace structured::torch
