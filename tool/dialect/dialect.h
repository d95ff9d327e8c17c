// Dialects: the C++ of authors and of the runtime that emitted code uses. `native` is the project's runtime, `torch` is
// libtorch, and `torch_stable` is its stable ABI. `aten` has libtorch's types too, and emits no C++: other tools, such
// as torchgen, use its JSON.
//
// A dialect has two parts. Its type table maps C++ types to schema types, for check and derive. Its CppTypes map schema
// types to C++ types in emitted code, for lower and emit, and for the rules of check that detect colliding C++
// functions. A target (emit/target.h) emits files for the libraries of a dialect. Dialects are constants with
// static storage and may be used from any thread.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/operator.h"
#include "model/schema.h"
#include "model/type_table.h"

namespace structured::gen {

/// How emitted code spells a backend.
struct CppBackend {
  std::string enumerator;     ///< `::structured::Backend::QuantizedCPU`
  std::string cpp_namespace;  ///< nested namespace in the public API, and part of wrapper names: `quantized_cpu`
  bool has_devices = true;    ///< whether wrappers make a device current; false for host and Meta backends
  bool has_memory = true;     ///< whether tensors have data; false for Meta
};

/// A default argument in C++.
struct CppDefault {
  enum class Form {
    expression,
    braces,  ///< elements in braces, which initialize a list
    none,    ///< the value of an empty optional
  };
  std::string expression;
  std::string header;  ///< header needed besides that of the type, as in `#include`; usually empty
  Form form = Form::expression;
};

/// Properties of an author's parameter type that its schema type does not have.
struct AuthorType {
  bool has_optional = false;  ///< an optional, or a list of optionals
  bool is_symbolic = false;   ///< a symbolic integer, or a list or an optional of them
  /// Refers to the value of an optional. The dispatcher does not accept such parameters: wrappers take the optional.
  bool is_optional_reference = false;
  bool is_dispatched_list = false;  ///< a list of tensors that the dispatcher passes, besides that of `argument`
};

/// How the wrappers of a runtime divide work with its dispatcher.
struct WrapperTraits {
  bool has_tables = true;            ///< operators have tables, prepared calls, shared bodies, and calls via out=
  bool bumps_versions = true;        ///< wrappers bump the versions of mutable arguments
  bool checks_on_hosts = true;       ///< wrappers for backends without devices compare the devices of their arguments
  bool has_public_functions = true;  ///< operators have functions in a C++ API
  bool has_own_autograd = true;      ///< nodes are those of our runtime, not of libtorch
  bool has_python_modules = true;    ///< operators are called by modules of ours, not by packages of PyTorch
  bool has_abstract_bases = false;   ///< wrappers override all pure virtual functions of operators' bases
  bool names_wrappers = false;       ///< errors name the wrapper, not the operator
  llvm::StringLiteral tensor = "structured::Tensor";
  llvm::StringLiteral iterator = "structured::TensorIteratorBase";  ///< base of scalar functions' operators
  llvm::StringLiteral iterator_header = "structured/iterator/tensor_iterator.h";
  llvm::StringLiteral options = "structured::TensorOptions";  ///< one argument for four of a factory
  llvm::StringLiteral options_header = "<structured/core/tensor_options.h>";
};

/// Converts schema types to fully qualified C++ types.
class CppTypes {
 public:
  virtual ~CppTypes() = default;

  virtual WrapperTraits wrapper_traits() const { return {}; }

  /// Returns the type of a parameter: `const ::structured::Tensor&`. A mutable Tensor is a reference to non-const; a
  /// mutable list is spelled like any other.
  virtual std::string argument(const Type& type, bool is_mutable) const = 0;
  /// Returns the type of a parameter without `const` and reference: `::structured::Tensor`.
  virtual std::string value(const Type& type) const { return argument(type, /*is_mutable=*/false); }
  /// Returns the type of one result. A mutable Tensor is returned by reference.
  virtual std::string result(const Type& type, bool is_mutable) const = 0;
  /// Returns the type of a parameter that may be a symbolic integer, or have some; nullopt for others.
  virtual std::optional<std::string> symbolic(const Type&) const { return std::nullopt; }
  /// Replaces aliases in a type from `argument` or `result` by the types that they name. Types that the dispatcher does
  /// not distinguish have one canonical type.
  virtual std::string canonical(std::string type) const = 0;
  /// Returns the parameter type with which the dispatcher recognises symbolic integers, given the author's type.
  virtual std::string recognised(std::string type) const { return type; }
  /// Returns the properties of an author's parameter type, whose names are qualified: `::at::OptionalTensorRef`.
  virtual AuthorType author_type(llvm::StringRef type) const { return {.has_optional = type.contains("optional<")}; }
  /// Returns the C++ expression for a schema's default, `std::nullopt` for `None`; nullopt if there is none.
  virtual std::optional<CppDefault> default_value(const Type& type, llvm::StringRef schema_default) const = 0;
  /// Adds the headers that a declaration with this type needs, spelled as in `#include`: `<optional>`.
  virtual void add_headers(const Type& type, std::set<std::string>& headers) const = 0;
  /// Returns std::nullopt for unknown and for composite backends.
  virtual std::optional<CppBackend> backend(llvm::StringRef name) const = 0;
};

class Dialect {
 public:
  /// If `cpp_types` is null, no C++ is emitted for the dialect. The arguments must have static storage.
  Dialect(llvm::StringRef name, const TypeTable& types, const CppTypes* cpp_types)
      : name_(name), types_(types), cpp_types_(cpp_types) {}

  /// Returns `native` or `aten`.
  llvm::StringRef name() const { return name_; }
  /// Returns the types for check and derive.
  const TypeTable& types() const { return types_; }
  /// Returns the C++ types in emitted code; null if no C++ is emitted.
  const CppTypes* cpp_types() const { return cpp_types_; }

 private:
  llvm::StringRef name_;
  const TypeTable& types_;
  const CppTypes* cpp_types_;
};

/// Returns the C++ result type of a function: `void`, the type of the only result, or `std::tuple<...>`.
std::string result_type(const CppTypes& cpp_types, llvm::ArrayRef<Return> results);

/// Returns the target of that name, or null.
const Dialect* find_dialect(llvm::StringRef name);
/// Returns the error for an unknown name: "unknown dialect `latin`; expected native, aten, torch or torch_stable".
std::string unknown_dialect(llvm::StringRef name);

}  // namespace structured::gen
