// Text description of one operator.
#pragma once

#include <string>

#include "dialect/dialect.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "model/operator.h"

namespace structured::gen {

/// Returns the operator with a variant of this name (`add.Tensor`, `aten::add_.Tensor`). The error suggests the most
/// similar name.
llvm::Expected<const Operator*> find_operator(const Library& library, llvm::StringRef name);

/// Returns documentation, schemas, base class, kernels by backend with their source locations and dtypes, public C++
/// functions, and emitted functions; the last two only if C++ is emitted for the target. `op` must belong to the
/// library. Fails if emission would.
llvm::Expected<std::string> explain(const Library& library, const Dialect& dialect, const Operator& op);

/// Returns what lowering decided about all variants of the operator (lower/print.h): the functions that the dispatcher
/// calls, their steps, recorded calls and kernels of scalar functions. Fails if emission would, and if no C++ is
/// emitted for the target.
llvm::Expected<std::string> explain_lowered(const Library& library, const Dialect& dialect, const Operator& op);

/// Returns the graphs of the operator's scalar function and of its scalar derivatives, for each dtype, or why there is
/// none. Fails if there is no scalar function, or if the scan did not evaluate its body.
llvm::Expected<std::string> explain_scalar_graphs(const Library& library, const Operator& op);

}  // namespace structured::gen
