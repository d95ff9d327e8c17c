#pragma once
// Operators: named tables with a kernel for each backend.
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string_view>
#include <utility>

#include "structured/core/export.h"
#include "structured/dispatch/backend.h"

namespace structured {

/// Why a slot of a dispatch table holds what it holds.
enum class KernelOrigin : std::uint8_t { none, composite, emitted, registered };

class OperatorBase;

namespace detail {

using AnyKernel = void (*)();
using StoreKernel = void (*)(OperatorBase&, Backend, AnyKernel);
using KernelOrigins = std::array<KernelOrigin, backend_count>;

/// Why an import (see imports.h) of a kernel for this backend failed, as the end of a sentence; empty if none did.
STRUCTURED_API std::string failed_import(const OperatorBase& op, Backend backend);
[[noreturn]] STRUCTURED_API void throw_missing_kernel(const OperatorBase& op, Backend backend);
STRUCTURED_API void register_kernel(OperatorBase& op, Backend backend, AnyKernel kernel, const char* file, int line,
                                    StoreKernel store);
STRUCTURED_API void deregister_kernel(OperatorBase& op, Backend backend, AnyKernel composite, StoreKernel store);

}  // namespace detail

/// What all operators have in common, whatever their signature: a name, a schema, and where the kernels came from.
/// Operators are globals with static storage and are never destroyed before the process ends.
class STRUCTURED_API OperatorBase {
 public:
  OperatorBase(const OperatorBase&) = delete;
  OperatorBase& operator=(const OperatorBase&) = delete;

  /// With namespace and overload: `aten::add.Tensor`.
  std::string_view name() const { return name_; }

  /// The schema's text, without namespace: `add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
  std::string_view schema() const { return schema_; }

  /// Why the slot of `backend` holds what it holds. Thread-safe.
  KernelOrigin origin(Backend backend) const;

 protected:
  constexpr OperatorBase(std::string_view name, std::string_view schema, detail::KernelOrigins origins)
      : name_(name), schema_(schema), origins_(origins) {}
  ~OperatorBase() = default;

 private:
  friend STRUCTURED_API void detail::throw_missing_kernel(const OperatorBase&, Backend);
  friend STRUCTURED_API void detail::register_kernel(OperatorBase&, Backend, detail::AnyKernel, const char*, int,
                                                     detail::StoreKernel);
  friend STRUCTURED_API void detail::deregister_kernel(OperatorBase&, Backend, detail::AnyKernel, detail::StoreKernel);
  friend STRUCTURED_API std::string dispatch_table(const OperatorBase&);

  std::string_view name_;
  std::string_view schema_;
  detail::KernelOrigins origins_;  // guarded by the lock in operator.cpp
};

/// The dispatch table as text: the operator's name and schema, then a line for each backend with the reason for what
/// its slot holds: `emitted`, `registered at FILE:LINE`, `composite` or `none`. Thread-safe.
STRUCTURED_API std::string dispatch_table(const OperatorBase& op);

template <class Signature>
class Operator;

/// An operator: one kernel for each backend, all with the signature `R(A...)`, arguments in schema order.
///
/// Its constructor is constexpr and it is trivially destructible, so a `constinit` global costs nothing at load. Calls
/// may run in any number of threads while others register kernels.
template <class R, class... A>
class Operator<R(A...)> : public OperatorBase {
 public:
  using Kernel = R (*)(A...);

  struct Entry {
    Backend backend;
    Kernel kernel;
  };

  /// `kernels` are the ones that were emitted together with the operator, at most one for each backend.
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels)
      : Operator(name, schema, kernels, nullptr, KernelOrigin::none, std::make_index_sequence<backend_count>{}) {}

  /// The same; `composite` serves every backend that has no kernel of its own.
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels,
                     Kernel composite)
      : Operator(name, schema, kernels, composite, KernelOrigin::composite, std::make_index_sequence<backend_count>{}) {
  }
  Operator(std::string_view, std::string_view, std::initializer_list<Entry>, std::nullptr_t) = delete;

  /// Calls the kernel of `backend`. Throws Error if there is none.
  R call(Backend backend, A... args) const {
    const Kernel found = kernel(backend);
    if (found == nullptr) [[unlikely]] {
      detail::throw_missing_kernel(*this, backend);
    }
    return found(std::forward<A>(args)...);
  }

  /// Calls the kernel of the backend that the arguments ask for (see `dispatch_backend`).
  R operator()(A... args) const { return call(dispatch_backend(args...), std::forward<A>(args)...); }

  /// The kernel that a call on `backend` runs, or null. It sees all that was done before it was registered.
  Kernel kernel(Backend backend) const {
    return __atomic_load_n(&slots_[static_cast<std::size_t>(backend)], __ATOMIC_ACQUIRE);
  }

  /// Makes `kernel` serve `backend`, in place of a composite kernel if there is one. `file` and `line` say where the
  /// registration stands (line 0: the file alone does). Throws Error if the backend already has a kernel of its own.
  /// Thread-safe.
  void register_kernel(Backend backend, Kernel kernel, const char* file, int line) {
    detail::register_kernel(*this, backend, reinterpret_cast<detail::AnyKernel>(kernel), file, line, &store);
  }

  /// Takes back what `register_kernel` did. Throws Error if nothing was registered for `backend`. Calls that run at the
  /// same time may still reach the kernel. Thread-safe.
  void deregister_kernel(Backend backend) {
    detail::deregister_kernel(*this, backend, reinterpret_cast<detail::AnyKernel>(composite_), &store);
  }

 private:
  // `rest` is the origin of slots without an entry. It is told, not found by comparing `composite` to null: with
  // -fsanitize=undefined, g++ takes no comparison of a function's address as a constant expression.
  template <std::size_t... I>
  constexpr Operator(std::string_view name, std::string_view schema, std::initializer_list<Entry> kernels,
                     Kernel composite, KernelOrigin rest, std::index_sequence<I...>)
      : OperatorBase(name, schema, {find(kernels, static_cast<Backend>(I)) != -1 ? KernelOrigin::emitted : rest...}),
        composite_(composite),
        slots_{resolve(kernels, composite, static_cast<Backend>(I))...} {}

  /// The index of the entry of `backend`, or -1. Not a pointer to it: g++ 12 compares none to null in a constant
  /// expression.
  static constexpr int find(std::initializer_list<Entry> kernels, Backend backend) {
    int found = -1;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels.begin()[i].backend == backend) {
        if (found != -1) {
          throw "two emitted kernels for one backend";  // not a constant expression: the compiler reports it
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

  static void store(OperatorBase& op, Backend backend, detail::AnyKernel kernel) {
    __atomic_store_n(&static_cast<Operator&>(op).slots_[static_cast<std::size_t>(backend)],
                     reinterpret_cast<Kernel>(kernel), __ATOMIC_RELEASE);
  }

  Kernel composite_;
  Kernel slots_[backend_count];  // read and written by atomic builtins: <atomic> would go into every caller's source
};

}  // namespace structured
