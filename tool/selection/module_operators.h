// The operators and dtypes of modules for PyTorch's lite interpreter.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "selection/selection.h"

namespace structured::gen {

/// Whether a file is a module: a flatbuffer, or a zip archive with bytecode.
bool is_module(llvm::StringRef bytes);

/// The operators of a `.ptl` file (_save_for_lite_interpreter), those of methods that do not run included, and the
/// dtypes of its tensors. Modules do not name the dtypes of other values: Float is among the dtypes, too. Reasons and
/// errors call the file `name`.
llvm::Expected<Selection> selection_from_module(llvm::StringRef bytes, llvm::StringRef name);

}  // namespace structured::gen
