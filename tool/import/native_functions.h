// Entries of native_functions.yaml, in which ATen declares its operators.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "model/schema.h"

namespace structured::gen {

/// A function that computes an operator, from `dispatch` or `ufunc_inner_loop`, or implied if there is neither.
struct NativeKernel {
  std::string backend;
  std::string function;  ///< without namespace
};

struct NativeFunction {
  unsigned line = 0;
  Schema schema;  ///< defaults and names of alias sets are those of derived schemas; `aten::` is left out
  bool structured = false;
  std::optional<OperatorName> structured_delegate;
  std::string structured_inherits;       ///< empty: the default
  std::vector<std::string> precomputed;  ///< `dim -> int dim`, `int size, int stride`
  std::vector<NativeKernel> kernels;     ///< in the order of the file
  bool is_function = true;
  bool is_method = false;
  bool checks_device = true;
  std::vector<std::string> tags;
  std::vector<std::string> cpp_no_default_args;
  std::vector<OperatorName> autogen;  ///< variants that torchgen adds
  /// Facts without an equivalent in annotations, such as "`python_module: nn`".
  std::vector<std::string> inexpressible;
};

struct NativeFunctions {
  std::vector<NativeFunction> functions;
  std::vector<std::string> errors;  ///< `FILE:LINE: operator `x`: expected ..., found ...`
};

/// Reads native_functions.yaml. `file` is its name in errors.
NativeFunctions read_native_functions(llvm::StringRef file, llvm::StringRef text);

}  // namespace structured::gen
