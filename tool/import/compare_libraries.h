// Comparison of a library with the operators of native_functions.yaml.
#pragma once

#include <string>
#include <vector>

#include "import/yaml_library.h"
#include "llvm/ADT/ArrayRef.h"
#include "model/operator.h"

namespace structured::gen {

struct LibraryComparison {
  std::size_t equal = 0;                 ///< number of schemas without a difference
  std::size_t different = 0;             ///< number of schemas with differences, or in one of the two only
  std::vector<std::string> differences;  ///< one line each: `FILE:LINE: operator `x`: ..., found ...`
};

/// Compares every operator of the file with `library`: schemas, backends with kernels, and metadata. Names of functions
/// and types of precomputed values are not compared. If `finds_others`, operators that only `library` has are
/// differences, except variants that torchgen would add (`generated`).
LibraryComparison compare_libraries(llvm::StringRef file, llvm::ArrayRef<YamlOperator> expected, const Library& library,
                                    bool finds_others, llvm::ArrayRef<OperatorName> generated);

}  // namespace structured::gen
