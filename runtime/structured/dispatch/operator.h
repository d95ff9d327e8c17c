#pragma once
// Operators: dispatch tables with a kernel for each backend.
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string_view>
#include <type_traits>
#include <utility>

#include "structured/base/export.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/layer.h"

namespace structured {

/// Origin of the kernel in a slot of a dispatch table.
enum class KernelOrigin : uint8_t { none, composite, common, emitted, registered, fallthrough };

class OperatorBase;

/// Remaining dispatch state of a slow-path call: the layers that have not handled it yet, and the backend without a
/// kernel if that is already known (otherwise Backend::count).
struct DispatchState {
  LayerSet layers;
  Backend backend = Backend::count;
};

namespace detail {

template <class Signature>
struct SlowPathOf;
template <class R, class... A>
struct SlowPathOf<R(A...)> {
  using type = R(DispatchState, A...);
};

/// Type in which Operator passes an argument on: by reference. A copy of a std::optional<double> or
/// std::optional<Device> would be stored in parts and loaded as a whole, which stalls store forwarding.
template <class T>
using Passed = std::conditional_t<std::is_trivially_copyable_v<T>, const T&, T>;

using AnyKernel = void (*)();
using StoreKernel = void (*)(OperatorBase&, Backend, AnyKernel);
/// Stores the default kernel of this origin in a slot. Not for registered kernels.
using RecomputeSlot = void (*)(OperatorBase&, Backend, KernelOrigin);
using KernelOrigins = std::array<KernelOrigin, backend_count>;

/// Marks an operator as skipped by a layer, in place of a layer's kernel.
STRUCTURED_API void fall_through();

/// Reason why an import (imports.h) of a kernel for this backend failed, as the end of a sentence; empty if none did.
STRUCTURED_API std::string failed_import(const OperatorBase& op, Backend backend);
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_missing_kernel(const OperatorBase& op, Backend backend);
/// Reports a call, while layers are active, of an operator without a slow path.
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_no_slow_path(const OperatorBase& op);
/// Whether the backend has a fallback (fallback.h) for operators without a kernel.
STRUCTURED_API bool has_fallback(Backend backend);
/// Source location of the backend's fallback; empty if there is none.
STRUCTURED_API std::string backend_fallback_location(Backend backend);
STRUCTURED_API void register_kernel(OperatorBase& op, Backend backend, AnyKernel kernel, const char* file, int line,
                                    StoreKernel store);
STRUCTURED_API void register_fallthrough(OperatorBase& op, Backend backend, const char* file, int line,
                                         RecomputeSlot recompute_slot);
/// `file` and `line`, unless null, must be the source location of the registration.
STRUCTURED_API void deregister_kernel(OperatorBase& op, Backend backend, const char* file, int line,
                                      RecomputeSlot recompute_slot);
/// Whether `op` passes calls on `backend` to the next lower backend among the arguments.
STRUCTURED_API bool falls_through(const OperatorBase& op, Backend backend);

}  // namespace detail

/// Function type that continues a call of an operator from a DispatchState.
template <class Signature>
using SlowPath = typename detail::SlowPathOf<Signature>::type;

/// Variants of one structured operator. For a backend that implements only the out= variant, the common kernels of the
/// other variants run meta, provide the output and call the out= kernel. Constant data.
struct Variants {
  struct Member {
    OperatorBase* op = nullptr;
    detail::RecomputeSlot recompute_slot = nullptr;
  };

  OperatorBase* out;
  Member functional;
  Member inplace;
};

/// Part of an operator that does not depend on its signature: name, schema, and origins of its kernels. Operators are
/// globals with static storage duration that are never destroyed.
class STRUCTURED_API OperatorBase {
 public:
  OperatorBase(const OperatorBase&) = delete;
  OperatorBase& operator=(const OperatorBase&) = delete;

  /// Name with namespace and overload: `aten::add.Tensor`.
  std::string_view name() const { return name_; }

  /// Schema text without namespace: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
  std::string_view schema() const { return schema_; }

  /// Origin of the kernel in the slot of `backend`. Thread-safe.
  KernelOrigin origin(Backend backend) const;

  /// Handler of calls while `layer` is active: a kernel, detail::fall_through, or null for the fallback of the layer.
  /// Throws Error for Layer::count.
  detail::AnyKernel layer_kernel(Layer layer) const;

  /// Makes `layer` skip this operator even if the layer has a fallback. Throws Error if the operator has a kernel for
  /// the layer. Thread-safe.
  void register_fallthrough(Layer layer, const char* file, int line) {
    register_layer_kernel(layer, &detail::fall_through, file, line);
  }

  /// Undoes register_layer_kernel or register_fallthrough. Throws Error if neither was called. Calls that run at the
  /// same time may still reach the kernel. Thread-safe.
  void deregister_layer_kernel(Layer layer);

 protected:
  constexpr OperatorBase(std::string_view name, std::string_view schema, detail::KernelOrigins origins,
                         KernelOrigin rest, const Variants* variants)
      : name_(name), schema_(schema), origins_(origins), rest_(rest), variants_(variants) {}
  ~OperatorBase() = default;

  void register_layer_kernel(Layer layer, detail::AnyKernel kernel, const char* file, int line);

 private:
  friend STRUCTURED_API void detail::throw_missing_kernel(const OperatorBase&, Backend);
  friend STRUCTURED_API void detail::register_kernel(OperatorBase&, Backend, detail::AnyKernel, const char*, int,
                                                     detail::StoreKernel);
  friend STRUCTURED_API void detail::register_fallthrough(OperatorBase&, Backend, const char*, int,
                                                          detail::RecomputeSlot);
  friend STRUCTURED_API void detail::deregister_kernel(OperatorBase&, Backend, const char*, int, detail::RecomputeSlot);
  friend STRUCTURED_API std::string dispatch_table(const OperatorBase&);

  // Origin of a slot without registration.
  KernelOrigin default_origin(std::size_t backend) const;
  // Updates the slots of the other variants after a change of the out= variant's slot.
  void recompute_other_variants(Backend backend);

  std::string_view name_;
  std::string_view schema_;
  detail::KernelOrigins origins_;               // guarded by the mutex in operator.cpp
  detail::AnyKernel* layer_kernels_ = nullptr;  // allocated for the first registration; accessed with atomic builtins
  KernelOrigin rest_;                           // origin of slots without a kernel of their own: none or composite
  const Variants* variants_;                    // null for operators that are not structured
};

/// Dispatch table as text: the operator's name and schema, then a line for each backend with the origin of its kernel:
/// `emitted`, `registered at FILE:LINE`, `composite` or `none`. Thread-safe.
STRUCTURED_API std::string dispatch_table(const OperatorBase& op);

template <class Signature>
class Operator;

/// Optional parts of an operator in addition to its kernels.
template <class Signature>
struct OperatorHooks;
template <class R, class... A>
struct OperatorHooks<R(A...)> {
  /// Runs calls while layers are active, and calls on a backend that has a fallback but no kernel: it calls
  /// `run_slow_path` (slow_path.h). Null: such calls throw Error.
  SlowPath<R(A...)>* slow_path = nullptr;
  /// Kernel of a functional or in-place variant for backends that implement only the out= variant.
  R (*common)(A...) = nullptr;
  const Variants* variants = nullptr;
  /// Runs calls with tensors that require gradients: records a node, or is a composite kernel. It continues with
  /// `op.call(dispatch_backend(...), ...)`. Null: Layer::Autograd handles such calls, see slow_path.h.
  R (*autograd)(A...) = nullptr;
};

/// An operator: one kernel for each backend, all with the signature `R(A...)`, arguments in schema order.
///
/// The constructor is constexpr and the destructor trivial, so that a `constinit` global costs nothing at load. Calls
/// may run on any number of threads while others register kernels.
template <class R, class... A>
class Operator<R(A...)> : public OperatorBase {
 public:
  using Kernel = R (*)(A...);
  /// Kernel of a layer. `rest` are the layers that have not handled the call yet: the kernel continues with
  /// `op.call(rest, ...)`.
  using LayerKernel = R (*)(LayerSet rest, A...);
  struct Entry {
    Backend backend;
    Kernel kernel;
  };

  /// `kernels` are those emitted with the operator, at most one for each backend.
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels,
                     OperatorHooks<R(A...)> hooks = {})
      : Operator(name, schema, kernels, nullptr, hooks, KernelOrigin::none, std::make_index_sequence<backend_count>{}) {
  }

  /// `composite` serves every backend without a kernel of its own.
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels,
                     Kernel composite, OperatorHooks<R(A...)> hooks = {})
      : Operator(name, schema, kernels, composite, hooks, KernelOrigin::composite,
                 std::make_index_sequence<backend_count>{}) {}
  Operator(std::string_view, std::string_view, std::initializer_list<Entry>, std::nullptr_t) = delete;

  /// Calls the kernel of `backend` without any layer. Throws Error if the backend has neither a kernel nor a fallback,
  /// and for Backend::count.
  R call(Backend backend, A... args) const { return call_kernel(backend, args...); }

  /// Calls through `layers`, then the kernel that the arguments select (see `dispatch_key`).
  R call(LayerSet layers, A... args) const { return call_through(layers, args...); }

  /// Calls through the layers that are active on this thread.
  R operator()(detail::Passed<A>... args) const { return call_through(active_layers(), args...); }

  /// Kernel for calls on `backend`; null if there is none. Synchronizes with the registration of the kernel.
  Kernel kernel(Backend backend) const {
    return __atomic_load_n(&slots_[static_cast<std::size_t>(backend)], __ATOMIC_ACQUIRE);
  }

  /// Registers `function` as the kernel for `backend`, in place of a composite or common kernel. `file` and `line` are
  /// the source location of the registration (line 0: none). Throws Error if the backend already has a kernel of its
  /// own. Thread-safe.
  void register_kernel(Backend backend, Kernel function, const char* file, int line) {
    detail::register_kernel(*this, backend, reinterpret_cast<detail::AnyKernel>(function), file, line, &store);
  }

  /// Undoes `register_kernel`. Throws Error if nothing was registered for `backend`. Calls that run at the same time
  /// may still reach the kernel. Thread-safe.
  void deregister_kernel(Backend backend) { detail::deregister_kernel(*this, backend, nullptr, 0, &recompute_slot); }

  /// Undoes the registration with this source location. Throws Error if there is none for `backend`, or one with
  /// another source location. Thread-safe.
  void deregister_kernel(Backend backend, const char* file, int line) {
    detail::deregister_kernel(*this, backend, file, line, &recompute_slot);
  }

  /// Passes calls on `backend` to the next lower backend among their arguments. Throws Error if the backend already has
  /// a kernel of its own. Undone by `deregister_kernel`. Thread-safe.
  void register_fallthrough(Backend backend, const char* file, int line) {
    detail::register_fallthrough(*this, backend, file, line, &recompute_slot);
  }
  using OperatorBase::register_fallthrough;

  /// Entry of Variants.
  constexpr Variants::Member as_variant() { return {this, &recompute_slot}; }

  /// Makes `function` handle calls of this operator while `layer` is active, in place of the fallback of the layer.
  /// Throws Error if the operator already has a kernel for the layer. Thread-safe.
  void register_layer_kernel(Layer layer, LayerKernel function, const char* file, int line) {
    OperatorBase::register_layer_kernel(layer, reinterpret_cast<detail::AnyKernel>(function), file, line);
  }

 private:
  [[gnu::always_inline]] R call_kernel(Backend backend, detail::Passed<A>&... args) const {
    const Kernel found = kernel(backend);
    if (found == nullptr) [[unlikely]] {
      return call_fallback(backend, static_cast<detail::Passed<A>&&>(args)...);
    }
    return found(static_cast<detail::Passed<A>&&>(args)...);
  }

  [[gnu::always_inline]] R call_through(LayerSet layers, detail::Passed<A>&... args) const {
    if (!layers.empty()) [[unlikely]] {
      return call_layers(layers, static_cast<detail::Passed<A>&&>(args)...);
    }
    // call_fallback() checks: a call in this function, which returns to it, would cost all calls saved registers.
    return call_kernel(detail::highest_unchecked_key<&TensorImpl::dispatch_key>(args...), args...);
  }

  // `rest` is the origin of slots without an entry. It is a parameter because g++ with -fsanitize=undefined rejects a
  // comparison of `composite` with null in a constant expression.
  template <std::size_t... I>
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels,
                     Kernel composite, const OperatorHooks<R(A...)>& hooks, KernelOrigin rest,
                     std::index_sequence<I...>)
      : OperatorBase(name, schema, {find(kernels, static_cast<Backend>(I)) != -1 ? KernelOrigin::emitted : rest...},
                     rest, hooks.variants),
        composite_(composite),
        slow_path_(hooks.slow_path),
        common_(hooks.common),
        slots_{resolve(kernels, composite, static_cast<Backend>(I))..., nullptr, hooks.autograd} {}

  /// Index of the entry of `backend`, or -1. An index, because g++ 12 rejects a comparison of a pointer with null in a
  /// constant expression.
  static constexpr int find(std::initializer_list<Entry> kernels, Backend backend) {
    int found = -1;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels.begin()[i].backend == backend) {
        if (found != -1) {
          throw "two emitted kernels for one backend";  // rejected at compile time: not a constant expression
        }
        found = static_cast<int>(i);
      }
    }
    return found;
  }

  static constexpr Kernel resolve(std::initializer_list<Entry> kernels, Kernel composite, Backend backend) {
    const int found = find(kernels, backend);
    return found != -1 ? kernels.begin()[found].kernel : composite;
  }

  STRUCTURED_COLD R call_layers(LayerSet layers, A... args) const {
    if (slow_path_ == nullptr) {
      detail::throw_no_slow_path(*this);
    }
    return slow_path_({layers, Backend::count}, std::forward<A>(args)...);
  }

  STRUCTURED_COLD R call_fallback(Backend backend, A... args) const {
    if (backend == kAutogradKey) {
      return call_layers(Layer::Autograd, std::forward<A>(args)...);
    }
    if (backend == Backend::count) (detail::check_backend_of(args), ...);
    if (detail::falls_through(*this, backend)) {
      const Backend next = dispatch_backend_below(backend, args...);
      if (next != Backend::count) {
        return call(next, std::forward<A>(args)...);
      }
    }
    if (slow_path_ == nullptr || !detail::has_fallback(backend)) {
      detail::throw_missing_kernel(*this, backend);
    }
    return slow_path_({{}, backend}, std::forward<A>(args)...);
  }

  static void recompute_slot(OperatorBase& op, Backend backend, KernelOrigin origin) {
    const Operator& self = static_cast<Operator&>(op);
    const Kernel kernel = origin == KernelOrigin::common      ? self.common_
                          : origin == KernelOrigin::composite ? self.composite_
                                                              : nullptr;
    store(op, backend, reinterpret_cast<detail::AnyKernel>(kernel));
  }

  static void store(OperatorBase& op, Backend backend, detail::AnyKernel kernel) {
    __atomic_store_n(&static_cast<Operator&>(op).slots_[static_cast<std::size_t>(backend)],
                     reinterpret_cast<Kernel>(kernel), __ATOMIC_RELEASE);
  }

  Kernel composite_;
  SlowPath<R(A...)>* slow_path_;  // see OperatorHooks
  Kernel common_;
  // Accessed with atomic builtins: every caller would include <atomic> otherwise. Backend::count, the backend of
  // tensors that no backend serves, has a slot that stays null, so that calls need not test for it. The last slot
  // belongs to kAutogradKey.
  Kernel slots_[backend_count + 2];
};

}  // namespace structured
