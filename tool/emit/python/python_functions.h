// Functions of a Python module: the operators of one or more libraries, grouped by name.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// One overload of a function, and the library that defines it.
struct PythonOverload {
  const LoweredLibrary* library = nullptr;
  const LoweredVariant* variant = nullptr;
  Schema schema;  ///< without a namespace
};

/// All overloads of a base name. An out= variant is an overload with a required keyword.
struct PythonFunction {
  std::string name;  ///< `add`; `acme_add` for another namespace than that of the library
  bool is_method = false;
  std::vector<PythonOverload> overloads;  ///< in the order of resolution
};

struct PythonFunctionOptions {
  /// Whether each function whose first parameter is the Tensor `self` is a method. Otherwise, in-place variants and
  /// functions with `[[structured::method]]` are.
  bool self_methods = false;
  /// Whether operators of other namespaces than that of their library are left out.
  bool own_namespace = false;
};

/// Returns the functions, sorted by name. Fails if two libraries define the same overload.
llvm::Expected<std::vector<PythonFunction>> python_functions(llvm::ArrayRef<LoweredLibrary> libraries,
                                                             const PythonFunctionOptions& options);

}  // namespace structured::gen
