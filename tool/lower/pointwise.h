// Operators that are one scalar function, as structured operators: with a meta function and a CPU kernel as an author
// would have written them.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "model/operator.h"

namespace structured::gen {

/// The runtime's name of a dtype or a set of dtypes: `kFloat`, `kAllTypes`. Empty if it has none.
llvm::StringRef dtype_constant(llvm::StringRef dtype);

/// The operator with a meta function and a CPU impl of these qualified names. `pointwise` stays, too.
Operator lowered_pointwise(const Operator& op, const std::string& meta_name, const std::string& cpu_name);

/// What is wrong with the scalar function, as `error_for` goes on; empty if nothing.
std::string fault_in_pointwise(const Operator& op);

}  // namespace structured::gen
