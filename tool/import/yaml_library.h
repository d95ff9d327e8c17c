// Operators of native_functions.yaml: the entries of one structured operator joined, and kernels by backend.
#pragma once

#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "import/native_functions.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/operator.h"

namespace structured::gen {

struct YamlOperator {
  /// Variants, kernels and metadata, as far as annotations can express them. Functions have only a name.
  Operator op;
  std::vector<unsigned> lines;     ///< the variants' entries
  std::vector<std::string> notes;  ///< facts in the file that annotations cannot express
};

struct YamlLibrary {
  std::vector<YamlOperator> operators;  ///< in the order of the file, by the first entry of each
  std::vector<std::string> errors;      ///< contradictions between entries, as `FILE:LINE: operator `x`: ...`
};

/// Returns the name in a library with this namespace: unqualified if it belongs to the library. A name without a
/// namespace belongs to `aten`.
OperatorName in_library(OperatorName name, llvm::StringRef schema_namespace);

/// Names in `schema_namespace` become unqualified. Kernels for backends
/// that `target` does not have become notes.
YamlLibrary yaml_library(llvm::StringRef file, llvm::ArrayRef<NativeFunction> functions, const Dialect& dialect,
                         llvm::StringRef schema_namespace);

}  // namespace structured::gen
