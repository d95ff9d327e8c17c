// Calling conventions: order and C++ types of the parameters of each kind of emitted function.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

struct CppParameter {
  std::string type;
  std::string name;
  std::string default_value;       ///< empty: none
  bool is_optional = false;        ///< whether the schema's type is optional
  bool is_written_tensor = false;  ///< a tensor that the function writes
  bool is_options = false;         ///< the `TensorOptions` of a factory
};

/// A function's type and the names of its parameters.
struct CppSignature {
  std::string result;
  std::vector<CppParameter> parameters;
  bool returns_reference = false;  ///< whether the result is a reference to an argument

  /// Returns the parameter declarations (`const T& a`), optionally with default values.
  std::vector<std::string> declared(bool with_defaults = false) const;
  /// Returns the types of the parameters.
  std::vector<std::string> types() const;
  /// Returns the names of the parameters.
  std::vector<std::string> names() const;
};

/// Returns all arguments of a schema in order, out arguments last.
std::vector<const Argument*> arguments_of(const Schema& schema);
/// Returns the arguments of a schema that are not out arguments.
std::vector<const Argument*> inputs_of(const Schema& schema);

/// Returns the signature of kernels in the dispatcher: arguments in the schema's order, out arguments last.
CppSignature dispatched_signature(const CppTypes& cpp_types, const Schema& schema);

/// Returns the signature of the public function: out arguments first, with defaults unless `op` suppresses them.
CppSignature public_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant);

/// Returns the overload of a factory that takes one `TensorOptions` in place of the four optionals; nullopt if the
/// variant is not a factory. This overload has the defaults, and the one of public_signature has none.
std::optional<CppSignature> options_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant);

/// Returns the overload of an in-place or out= function for a temporary, such as a view without a name: it takes a
/// `Tensor&&` and returns a `Tensor`. nullopt if `signature`, the public one, does not write to its first argument
/// alone.
std::optional<CppSignature> temporary_signature(const CppTypes& cpp_types, const CppSignature& signature);

/// Returns the parameters of meta: the inputs, without the operator's base.
CppSignature meta_signature(const CppTypes& cpp_types, const Operator& op);
/// Returns the parameters of impl, without the operator's base: the inputs that no precomputed value replaces, the
/// precomputed values if there are any, and the outputs.
CppSignature impl_signature(const CppTypes& cpp_types, const Operator& op);

/// Returns the name of the `TensorOptions` parameter; empty if there is none.
std::string options_of(const CppSignature& signature);

/// Returns the argument expressions for a call of `callee` in the body of `caller`. Arguments are matched by name; a
/// caller with `TensorOptions` passes their members. `has_empty_options`: the options are known to be empty.
std::vector<std::string> expressions(const CppSignature& caller, const CppSignature& callee,
                                     bool has_empty_options = false);

/// Adds the headers that a declaration of the variant and its default arguments needs.
void add_headers(const CppTypes& cpp_types, const Operator& op, const Variant& variant, std::set<std::string>& headers);

/// Returns `wanted`, with underscores appended until it differs from all parameter names.
std::string unused_name(llvm::StringRef wanted, const CppSignature& signature);

/// Qualifies all names in a canonical C++ type from the global namespace: `const ::structured::Tensor&`.
std::string qualified_type(llvm::StringRef canonical);

}  // namespace structured::gen
