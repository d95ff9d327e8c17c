// Literals of Python, and names of PyTorch in it.
#pragma once

#include <string>

#include "language/dtypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Returns the text between double quotes, with escapes.
std::string python_string(llvm::StringRef text);

/// `True` or `False`.
std::string python_bool(bool value);

/// `[torch.float32, torch.bool]`, the dtypes among these and in sets of them; empty if there are none.
std::string torch_dtypes(llvm::ArrayRef<const DtypeName*> dtypes);

}  // namespace structured::gen
