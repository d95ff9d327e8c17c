// Calling conventions: in which order, and as which C++ types, each kind of emitted function takes its arguments.
// All that emitters know of types comes from here.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "model/operator.h"
#include "target/target.h"

namespace structured::gen {

struct CppParameter {
  std::string type;
  std::string name;
  std::string default_value;  ///< empty: none
};

/// A function's type and the names of its parameters.
struct CppSignature {
  std::string result;
  std::vector<CppParameter> parameters;

  /// `const T& a`, each for itself; with `= default` where there is one and it is wanted.
  std::vector<std::string> declared(bool with_defaults = false) const;
  /// `const T&`, each for itself.
  std::vector<std::string> types() const;
  /// The names of the parameters.
  std::vector<std::string> names() const;
};

/// All arguments of a schema in order, out arguments last.
std::vector<const Argument*> arguments_of(const Schema& schema);
/// Those that are not out arguments.
std::vector<const Argument*> inputs_of(const Schema& schema);

/// As the dispatcher calls kernels: the schema's order, out arguments last.
CppSignature dispatched_signature(const CppTypes& cpp_types, const Schema& schema);

/// As people call it: out arguments first, with the defaults of the schema except where `op` asks for none.
CppSignature public_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant);

/// A factory's overload that takes one `TensorOptions` in place of the four optionals. It has the defaults, and the
/// overload that public_signature describes then has none. Nothing if the variant is no factory.
std::optional<CppSignature> options_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant);

/// What an operator's class takes for meta: the inputs.
CppSignature meta_signature(const CppTypes& cpp_types, const Operator& op);
/// For impl: the inputs that are not replaced, the precomputed value if there is one, the outputs.
CppSignature impl_signature(const CppTypes& cpp_types, const Operator& op);

/// The name of the parameter that is a factory's options; empty if there is none.
std::string options_of(const CppSignature& signature);

/// What to pass to `callee` from inside `caller`: arguments by name, and the parts of a factory's options where the
/// caller has those instead; with `has_empty_options`, where it is known that they ask for nothing.
std::vector<std::string> expressions(const CppSignature& caller, const CppSignature& callee,
                                     bool has_empty_options = false);

/// The headers that a declaration of the variant needs, defaults included.
void add_headers(const CppTypes& cpp_types, const Operator& op, const Variant& variant, std::set<std::string>& headers);

/// A name that begins with `wanted` and is none of the parameters' names.
std::string unused_name(llvm::StringRef wanted, const CppSignature& signature);

/// A canonical C++ type as emitted code may write it anywhere: `const ::structured::Tensor&`.
std::string qualified_type(llvm::StringRef canonical);

}  // namespace structured::gen
