// Tables of the operators that one kernel source defines, and the public functions that dispatch through them.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "lower/lowered_library.h"

namespace structured::gen {

/// `boxed`: whether boxed calls and slow paths are emitted.
std::string tables_source(const LoweredLibrary& lowered, llvm::StringRef source, bool boxed);

}  // namespace structured::gen
