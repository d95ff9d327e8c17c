// Functions of the C++ API, as far as declarations determine them before derivation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/checker.h"

namespace structured::gen {

/// One function of the library's own API.
struct PublicFunction {
  OperatorName variant;
  std::string name;  ///< unqualified: `add_out`
  /// Parameter types, outputs first as in the C++ API; nullopt if unknown.
  std::optional<std::vector<std::string>> parameters;
  std::vector<std::string> backends;  ///< backends with a function that calls the kernel directly
  SourceRange range;                  ///< the operator's name, as written

  /// Returns the name relative to the C++ namespace of the library: `foreign::add_out`.
  std::string qualified_name() const { return variant.ns.empty() ? name : variant.ns + "::" + name; }
  /// `add_out(structured::Tensor&, int64_t)`
  std::string signature() const;
};

/// Returns all functions of the API, which excludes those of imported operators. Empty if the target has no such API.
std::vector<PublicFunction> public_functions(const Checker& checker);

/// Returns the type of a parameter in the C++ API, which may differ from the one the author wrote: optional tensors are
/// passed by reference. Returns the canonical type if no C++ is emitted or the type has no schema type.
std::string public_type(const Checker& checker, const Parameter& parameter);

/// Returns the nested namespace with the functions of one backend; empty if there is none.
std::string backend_namespace(const Checker& checker, llvm::StringRef backend);

}  // namespace structured::gen
