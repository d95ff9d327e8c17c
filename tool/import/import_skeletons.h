// Converts operators of native_functions.yaml to skeletons, and proves that they derive the schemas of the file.
#pragma once

#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "import/skeleton_text.h"
#include "import/yaml_library.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

struct ImportOptions {
  std::string file;  ///< the name of the YAML file in messages
  std::string schema_namespace;
  std::string cpp_namespace;
  std::string name_space;  ///< C++ namespace of the declared functions
  bool whole_library = true;
};

struct ImportedSkeletons {
  std::vector<SkeletonOperator> operators;
  std::vector<std::string> left_out;  ///< `FILE:LINE: operator `x`: reason`, for each schema without a declaration
};

/// Leaves out operators that the target cannot express, whose declarations `check` rejects, or whose derived schemas
/// differ from those of the file.
ImportedSkeletons import_skeletons(llvm::ArrayRef<YamlOperator> operators, const Dialect& dialect,
                                   const ImportOptions& options);

}  // namespace structured::gen
