// The functions of the C++ API that operators become, as far as declarations tell them before anything is derived.
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
  /// The types of its parameters, outputs first as C++ callers write them; nothing where they cannot be told.
  std::optional<std::vector<std::string>> parameters;
  std::vector<std::string> backends;  ///< that have one of their own, straight to the kernel
  SourceRange range;                  ///< the operator's name, as written

  /// Below the C++ namespace of the library: `foreign::add_out`.
  std::string qualified_name() const { return variant.ns.empty() ? name : variant.ns + "::" + name; }
  /// `add_out(structured::Tensor&, int64_t)`
  std::string signature() const;
};

/// Functions of imported operators are in the API of another library.
std::vector<PublicFunction> public_functions(const Checker& checker);

/// The type that a parameter has in the C++ API, whichever way the author wrote it: an optional tensor by value is a
/// reference there. The canonical one where no C++ is emitted, or the type has no schema type.
std::string public_type(const Checker& checker, const Parameter& parameter);

/// The namespace, below that of the library, with the functions of one backend; empty if there is none.
std::string backend_namespace(const Checker& checker, llvm::StringRef backend);

}  // namespace structured::gen
