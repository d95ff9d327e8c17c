// String literals of Python.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Returns the text between double quotes, with escapes.
std::string python_string(llvm::StringRef text);

}  // namespace structured::gen
