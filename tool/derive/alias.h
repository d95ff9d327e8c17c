// Alias sets of arguments and results.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "model/annotation.h"
#include "model/schema.h"

namespace structured::gen {

/// Assigns letters to alias sets in order of appearance: `a`, `b`, ...
class AliasLetters {
 public:
  /// Returns a new set for a mutable argument.
  AliasSet written();
  /// Returns the set of an argument that has views among the results. Attributes that name the same set share it.
  AliasSet viewed(const AliasAttribute& attribute);
  /// Returns the next letter, or letters.
  std::string next();

 private:
  unsigned count_ = 0;
  llvm::StringMap<std::string> shared_;
};

/// Returns the set of a result that is, or is a view of, an argument with the set `argument`: `(a)` for `(a -> *)`.
AliasSet result_alias(const AliasSet& argument);

/// Assigns the set of `argument` to the result that `attribute` names, or else to the first unaliased tensor result.
void alias_result(std::vector<Return>& returns, const AliasAttribute& attribute, const AliasSet& argument);

}  // namespace structured::gen
