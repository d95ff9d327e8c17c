// Prints skeletons as C++.
#pragma once

#include <string>
#include <vector>

#include "import/skeleton.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// An operator of a file of skeletons.
struct SkeletonOperator {
  std::vector<std::string> names;  ///< all variants
  std::string base;                ///< base name of the first variant
  std::vector<std::string> notes;
  Skeleton skeleton;
};

/// How the text includes and names the runtime.
struct SkeletonStyle {
  std::string dialect;
  std::string name_space;     ///< C++ namespace of the declarations
  std::string values_header;  ///< name of the header with the classes of precomputed values
};

/// Returns a source with the declarations.
std::string skeleton_source(llvm::ArrayRef<SkeletonOperator> operators, const SkeletonStyle& style);

/// Returns the header with the classes of precomputed values; empty if there are none.
std::string values_header(llvm::ArrayRef<SkeletonOperator> operators, const SkeletonStyle& style);

}  // namespace structured::gen
