#pragma once
// Kernels for operators that another library owns. A library that imports operators emits a constant array of its
// kernels and one KernelImports object, which registers them while it lives: from the load of the library to its
// unload.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "structured/base/export.h"
#include "structured/core/array_ref.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/meta_function.h"
#include "structured/dispatch/operator.h"

namespace structured {

/// Library that owns operators.
struct OperatorOwner {
  std::string_view name;                                 ///< its C++ namespace
  const OperatorHandle* (*find)(std::string_view name);  ///< its `find_operator`
};

/// Meta function of another library, of any type. Resolved when the importing library is loaded.
class MetaImport {
 public:
  MetaImport(const MetaImport&) = delete;
  MetaImport& operator=(const MetaImport&) = delete;

 protected:
  constexpr MetaImport(const OperatorOwner& owner, std::string_view op, MetaFunction expected,
                       void (*set)(MetaImport&, const MetaFunction&))
      : owner_(owner), op_(op), expected_(expected), set_(set) {}
  ~MetaImport() = default;

 private:
  friend class KernelImports;

  const OperatorOwner& owner_;
  std::string_view op_;
  MetaFunction expected_;  // as the importing library was compiled
  void (*set_)(MetaImport&, const MetaFunction&);
};

/// Meta function of type `R(Base&, A...)`, called by the wrappers of the importing library. Wrappers run only after
/// KernelImports has resolved the function and registered them.
template <class Signature>
class ImportedMeta;

template <class R, class Base, class... A>
class ImportedMeta<R(Base&, A...)> final : public MetaImport {
 public:
  using Typed = TypedMetaFunction<R(Base&, A...)>;

  /// `op` is the full name of any variant of the operator; `signature` is the one in the owner's MetaFunction.
  constexpr ImportedMeta(const OperatorOwner& owner, std::string_view op, std::string_view signature)
      : MetaImport(owner, op, Typed::describe(signature), &set) {}

  R operator()(Base& base, A... args) const { return function_(base, std::forward<A>(args)...); }

 private:
  static void set(MetaImport& meta, const MetaFunction& found) {
    static_cast<ImportedMeta&>(meta).function_ = static_cast<const Typed&>(found).function;
  }

  typename Typed::Function function_ = nullptr;
};

/// Kernel for an operator of another library. Constant data.
struct KernelImport {
  const OperatorOwner* owner;
  std::string_view op;      ///< full name
  std::string_view schema;  ///< that the kernel was compiled for
  Backend backend;
  std::string_view file;                                                 ///< source of the kernel
  void (*attach)(OperatorBase& op, Backend backend, const char* place);  ///< attach_kernel
  void (*detach)(OperatorBase& op, Backend backend, const char* place);  ///< detach_kernel
};

/// Registers `kernel`; `place` is the source location for messages.
template <class Signature, Signature* kernel>
void attach_kernel(OperatorBase& op, Backend backend, const char* place) {
  static_cast<Operator<Signature>&>(op).register_kernel(backend, kernel, place, 0);
}

/// Removes the registration made with the same `place`. Throws Error if there is none, or one from another location.
template <class Signature>
void detach_kernel(OperatorBase& op, Backend backend, const char* place) {
  static_cast<Operator<Signature>&>(op).deregister_kernel(backend, place, 0);
}

/// Registers kernels in the tables of their operators and removes them on destruction. Registers all of them or none:
/// registration fails if an operator is missing, has changed since the importing library was compiled, already has a
/// kernel for the backend, or is in a copy of the owner that the importing library alone sees (a static library linked
/// into it as well as into another image, which looks up operators by name). A warning, the errors of calls that miss
/// the kernels, and `load_library` report the reason with both libraries. Throws nothing, since the dynamic loader
/// cannot catch exceptions. Thread-safe; calls that run while a library is unloaded may still reach its kernels.
class STRUCTURED_API KernelImports {
 public:
  /// `library` is the C++ namespace of the importing library. All arguments outlive the object.
  KernelImports(std::string_view library, ArrayRef<MetaImport*> metas, ArrayRef<KernelImport> kernels) noexcept;
  KernelImports(const KernelImports&) = delete;
  KernelImports& operator=(const KernelImports&) = delete;
  ~KernelImports();

 private:
  friend STRUCTURED_API std::string detail::failed_import(const OperatorBase&, Backend);
  friend STRUCTURED_API void load_library(const std::string& path);

  void enter();
  void leave(std::size_t count) noexcept;
  const OperatorHandle& find(const KernelImport& kernel) const;
  void find(MetaImport& meta) const;
  void refuse_copies(ArrayRef<const OperatorHandle*> found) const;
  std::string location_of(const KernelImport& kernel) const;
  static std::string failure_in(const void* image);
  std::string described() const;
  std::string described(const OperatorOwner& owner) const;

  std::string_view library_;
  ArrayRef<MetaImport*> metas_;
  ArrayRef<KernelImport> kernels_;
  std::string description_;               // for messages; the loader takes microseconds to find the path of an image
  std::string failure_;                   // empty if the kernels are registered
  const void* image_ = nullptr;           // load address of the library, if registration failed
  KernelImports* next_failed_ = nullptr;  // list of failed imports, guarded by the mutex in imports.cpp
};

/// Loads a shared library with kernels, which stays loaded. Throws Error, with the file, if it cannot be loaded or if
/// its kernels could not be registered, now or at an earlier load. Thread-safe.
STRUCTURED_API void load_library(const std::string& path);

}  // namespace structured
