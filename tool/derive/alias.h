// What is written, what is returned: the alias sets of arguments and results.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "model/annotation.h"
#include "model/schema.h"

namespace structured::gen {

/// Gives out the letters of alias sets in order of appearance: `a`, `b`, ...
class AliasLetters {
 public:
  /// A set of its own for an argument that is written.
  AliasSet written();
  /// The set that a view is taken from; arguments whose attributes name the same set share it.
  AliasSet viewed(const AliasAttribute& attribute);

 private:
  std::string next();

  unsigned count_ = 0;
  llvm::StringMap<std::string> shared_;
};

/// The set of a result that is (a view of) an argument with the set `argument`: `(a -> *)` is seen as `(a)`.
AliasSet result_alias(const AliasSet& argument);

/// Gives the result that `attribute` means, the first unaliased tensor where it names none, the set of `argument`.
void alias_result(std::vector<Return>& returns, const AliasAttribute& attribute, const AliasSet& argument);

}  // namespace structured::gen
