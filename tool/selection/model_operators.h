// The operators and dtypes of saved programs.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "selection/selection.h"

namespace structured::gen {

/// The operators that a `.pt2` file (torch.export.save) calls, by the names that the runtime looks up, and the dtypes
/// of its values; or those of a module (module_operators.h). Long and Bool are always among the dtypes, since operators
/// compute indices and masks. Reasons and errors call the file `name`.
llvm::Expected<Selection> selection_from_model(llvm::StringRef bytes, llvm::StringRef name);

/// The operators and dtypes in a record of `structured-run --record`, and Long and Bool.
llvm::Expected<Selection> selection_from_trace(llvm::StringRef text, llvm::StringRef name);

}  // namespace structured::gen
