// Skeletons: annotated declarations from which an operator's schemas are derived.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"
#include "model/operator.h"

namespace structured::gen {

/// Annotated declarations of one operator. A parameter with a default in the schema has the attribute `schema_default`;
/// if C++ can express the default, `default_argument` has its text, and the attribute is not printed.
struct Skeleton {
  std::vector<Declaration> declarations;
  std::optional<ClassFact> values;  ///< class of precomputed values, which must be in a header
  std::vector<std::string> notes;   ///< kernels whose functions have a new name or other types
};

/// Makes skeletons. Functions of one library get distinct signatures.
class SkeletonBuilder {
 public:
  /// The target must outlive the builder. Functions are declared in `name_space`.
  SkeletonBuilder(const Dialect& dialect, std::string name_space)
      : dialect_(dialect), namespace_(std::move(name_space)) {}

  /// Returns the skeleton of an operator of a YamlLibrary. Fails if the target cannot express it.
  llvm::Expected<Skeleton> build(const Operator& op);

 private:
  const Dialect& dialect_;
  std::string namespace_;
  llvm::StringSet<> signatures_;  ///< functions so far: `f(long,bool)`
};

}  // namespace structured::gen
