// What a scan takes from the flags of a build.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Of the flags of a build, those that change what a declaration means: macros, include paths, and what is included
/// before the source. `lines` has one flag in each, or its argument; a line that begins with `SHELL:` has several, as a
/// shell would tell them apart. That is what CMake's properties hold.
std::vector<std::string> declaration_flags(llvm::StringRef lines);

}  // namespace structured::gen
