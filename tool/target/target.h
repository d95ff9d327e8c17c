// Targets: the C++ types of a runtime. `native` is our own runtime, `aten` is libtorch.
//
// A target has two halves. Its type table says which C++ type is which schema type; check and derive use
// nothing else of it. Its CppTypes map schema types to emitted C++, for emit, and for
// the rules of check that look for colliding C++ functions. Targets are constants with static storage:
// they may be used from any thread.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/schema.h"
#include "model/type.h"
#include "model/type_table.h"

namespace structured::gen {

/// How emitted code spells a backend.
struct CppBackend {
  std::string enumerator;     ///< `::structured::Backend::QuantizedCPU`
  std::string cpp_namespace;  ///< of its part of the public API, and in names of wrappers: `quantized_cpu`
  bool has_devices = true;    ///< wrappers for it choose one before they run; the host and Meta have none
};

/// A default argument in C++.
struct CppDefault {
  std::string expression;
  std::string header;  ///< a header needed besides the type's, as it follows `#include `; usually empty
};

/// From schema types to C++, always fully qualified.
class CppTypes {
 public:
  virtual ~CppTypes() = default;

  /// The type of a parameter: `const ::structured::Tensor&`. A written Tensor is a reference to non-const; a written
  /// list is spelled like any other.
  virtual std::string argument(const Type& type, bool is_mutable) const = 0;
  /// The type of one result. A written Tensor is returned by reference.
  virtual std::string result(const Type& type, bool is_mutable) const = 0;
  /// A type from `argument` or `result`, with each alias replaced by the type it names.
  virtual std::string canonical(std::string type) const = 0;
  /// The C++ expression for a schema's default, `std::nullopt` for `None`; nothing if it cannot be said.
  virtual std::optional<CppDefault> default_value(const Type& type, llvm::StringRef schema_default) const = 0;
  /// Adds the headers that a declaration with this type needs, as they follow `#include `: `<optional>`.
  virtual void add_headers(const Type& type, std::set<std::string>& headers) const = 0;
  /// Returns std::nullopt for unknown and for composite backends.
  virtual std::optional<CppBackend> backend(llvm::StringRef name) const = 0;
};

class Target {
 public:
  /// Null for `cpp_types`: emit writes no C++ for the dialect. Both are constants, as is the dialect.
  Target(llvm::StringRef name, const TypeTable& types, const CppTypes* cpp_types)
      : name_(name), types_(types), cpp_types_(cpp_types) {}

  /// `native` or `aten`
  llvm::StringRef name() const { return name_; }
  /// The half that check and derive use.
  const TypeTable& types() const { return types_; }
  /// The half that emit uses to write C++; null where it writes none.
  const CppTypes* cpp_types() const { return cpp_types_; }

 private:
  llvm::StringRef name_;
  const TypeTable& types_;
  const CppTypes* cpp_types_;
};

/// All results of a function as one C++ type: `void`, the type itself, or `std::tuple<...>`.
std::string result_type(const CppTypes& cpp_types, llvm::ArrayRef<Return> results);

/// The target of that name, or null.
const Target* find_target(llvm::StringRef name);
/// The error for a name without a target: "unknown dialect `latin`; expected native or aten".
std::string unknown_target(llvm::StringRef name);

}  // namespace structured::gen
