// Names of emitted functions and globals.
#pragma once

#include <string>

#include "llvm/ADT/StringSet.h"
#include "model/operator.h"

namespace structured::gen {

/// Unique names in the hidden namespace, distinct from argument names, which would hide them.
class NameTable {
 public:
  explicit NameTable(const Library& library);
  /// Returns `name`, with underscores appended until nothing else has it.
  std::string claim(std::string name);

 private:
  void add_arguments(const Operator& op);

  llvm::StringSet<> taken_;
};

/// Returns `add_Tensor` for `add.Tensor`.
std::string identifier(const OperatorName& name);

/// Returns the base name whose header declares the operator: `add` for `add` and `add_`.
std::string header_base(const OperatorName& name);

}  // namespace structured::gen
