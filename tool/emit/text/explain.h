// A description of one operator for people.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"
#include "target/target.h"

namespace structured::gen {

/// The operator that has a variant of this name (`add.Tensor`, `aten::add_.Tensor`). The error suggests the nearest
/// name.
llvm::Expected<const Operator*> find_operator(const Library& library, llvm::StringRef name);

/// Documentation, schemas, base class, kernels by backend with their source locations and dtypes, public C++ functions,
/// and emitted functions; the last two only for a target that C++ is emitted for. `op` belongs to the library. Fails
/// where emission would.
llvm::Expected<std::string> explain(const Library& library, const Target& target, const Operator& op);

}  // namespace structured::gen
