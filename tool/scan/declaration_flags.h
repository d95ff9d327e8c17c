// Build flags that affect declarations.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Selects the flags that change what a declaration means: the target machine and its system headers, macros,
/// instruction sets, OpenMP, include paths and forced includes. Each line holds one flag or its argument, as in CMake
/// properties; a line that begins with `SHELL:` holds several, separated as in a shell.
std::vector<std::string> declaration_flags(llvm::StringRef lines);

}  // namespace structured::gen
