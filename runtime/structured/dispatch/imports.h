#pragma once
// Kernels for operators that another library owns. A library that imports operators emits one constant array of its
// kernels for them and one object of class KernelImports, which enters them into the operators' tables while it lives:
// from when the library is loaded until it is unloaded.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "structured/core/array_ref.h"
#include "structured/core/export.h"
#include "structured/dispatch/backend.h"
#include "structured/dispatch/library.h"
#include "structured/dispatch/meta_function.h"
#include "structured/dispatch/operator.h"

namespace structured {

/// The library that operators belong to.
struct OperatorOwner {
  std::string_view name;                                 ///< its C++ namespace
  const OperatorHandle* (*find)(std::string_view name);  ///< its `find_operator`
};

/// A meta function of another library, whatever its type. Found when the importing library is loaded.
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
  MetaFunction expected_;  // what the importing library was compiled against
  void (*set_)(MetaImport&, const MetaFunction&);
};

/// A meta function of the type `R(Base&, A...)`, to be called by the wrappers of the importing library. They run only
/// once KernelImports has found the function and entered them into a table.
template <class Signature>
class ImportedMeta;

template <class R, class Base, class... A>
class ImportedMeta<R(Base&, A...)> final : public MetaImport {
 public:
  using Typed = TypedMetaFunction<R(Base&, A...)>;

  /// `op` is any of the operator's variants by its full name; `signature` as the owner's MetaFunction has it.
  constexpr ImportedMeta(const OperatorOwner& owner, std::string_view op, std::string_view signature)
      : MetaImport(owner, op, Typed::describe(signature), &set) {}

  R operator()(Base& base, A... args) const { return function_(base, std::forward<A>(args)...); }

 private:
  static void set(MetaImport& meta, const MetaFunction& found) {
    static_cast<ImportedMeta&>(meta).function_ = static_cast<const Typed&>(found).function;
  }

  typename Typed::Function function_ = nullptr;
};

/// One kernel for an operator of another library. Constant data.
struct KernelImport {
  const OperatorOwner* owner;
  std::string_view op;      ///< full name
  std::string_view schema;  ///< that the kernel was compiled for
  Backend backend;
  std::string_view file;                                                 ///< that the kernel is from
  void (*attach)(OperatorBase& op, Backend backend, const char* place);  ///< attach_kernel
  void (*detach)(OperatorBase& op, Backend backend, const char* place);  ///< detach_kernel
};

/// Registers `kernel`, whose registration stands at `place`.
template <class Signature, Signature* kernel>
void attach_kernel(OperatorBase& op, Backend backend, const char* place) {
  static_cast<Operator<Signature>&>(op).register_kernel(backend, kernel, place, 0);
}

/// Takes back the registration that stands at `place`. Throws Error if there is no such thing, or another one.
template <class Signature>
void detach_kernel(OperatorBase& op, Backend backend, const char* place) {
  static_cast<Operator<Signature>&>(op).deregister_kernel(backend, place, 0);
}

/// Enters kernels into the tables of their operators, and takes them out again at the end of its life. All of them, or
/// none: if an operator is not there, has changed since the importing library was compiled, or has a kernel for the
/// backend already, no kernel is entered, and the reason, which names both libraries, goes to the warning handler, into
/// the errors of calls that miss the kernels, and to `load_library`. Nothing is thrown, as what loads a library in the
/// usual ways cannot catch it. Thread-safe; calls that run while a library is unloaded may still reach its kernels.
class STRUCTURED_API KernelImports {
 public:
  /// `library` is the importing library's C++ namespace. All that is passed outlives the object.
  KernelImports(std::string_view library, ArrayRef<MetaImport*> metas, ArrayRef<KernelImport> kernels) noexcept;
  KernelImports(const KernelImports&) = delete;
  KernelImports& operator=(const KernelImports&) = delete;
  ~KernelImports();

 private:
  friend STRUCTURED_API std::string detail::failed_import(const OperatorBase&, Backend);
  friend STRUCTURED_API void load_library(const std::string& path);

  void enter();
  void leave(std::size_t count) noexcept;
  OperatorBase& find(const KernelImport& kernel) const;
  void find(MetaImport& meta) const;
  std::string location_of(const KernelImport& kernel) const;
  static std::string failure_in(const void* image);
  std::string described() const;
  std::string described(const OperatorOwner& owner) const;

  std::string_view library_;
  ArrayRef<MetaImport*> metas_;
  ArrayRef<KernelImport> kernels_;
  std::string failure_;                   // empty if the kernels are entered
  const void* image_ = nullptr;           // where its library begins, of one that failed
  KernelImports* next_failed_ = nullptr;  // a list of those that failed, guarded by the lock in imports.cpp
};

/// Loads a shared library with kernels, which stays loaded. Throws Error, naming the file, if it cannot be loaded or
/// its kernels cannot be entered, or could not when somebody loaded it before. Thread-safe.
STRUCTURED_API void load_library(const std::string& path);

}  // namespace structured
