// Boxed calls of the operators that one kernel source defines. They have their own source, so that a build can omit
// them.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

std::string boxed_source(const LoweredLibrary& lowered, llvm::StringRef source);

}  // namespace structured::gen
