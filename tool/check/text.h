// Text in messages, and text of types.
#pragma once

#include <string>

#include "language/nearest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Formats `text` as code: in backticks, with control characters escaped, and truncated if it is too long for a
/// message.
std::string code(llvm::StringRef text);

/// "1 parameter", "2 parameters"
std::string count_of(std::size_t count, llvm::StringRef noun);

/// `a`, `b` and `c`
std::string list_of(llvm::ArrayRef<std::string> names, llvm::StringRef conjunction = "and");

/// Returns `Tensor&` for `const Tensor&`.
std::string without_const(llvm::StringRef type);

}  // namespace structured::gen
