// What a library knows of one operator, for people.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"
#include "target/target.h"

namespace structured::gen {

/// The operator that has a variant of this name (`add.Tensor`, `aten::add_.Tensor`). The error offers the nearest name.
llvm::Expected<const Operator*> find_operator(const Library& library, llvm::StringRef name);

/// Schemas of all variants, backends with the functions that serve them and their places, dtypes, base class,
/// documentation, the C++ functions that callers get, and the emitted functions behind them; the last two only for a
/// dialect whose C++ is emitted. `op` is one of the library's. Fails where emission would.
llvm::Expected<std::string> explain(const Library& library, const Target& target, const Operator& op);

}  // namespace structured::gen
