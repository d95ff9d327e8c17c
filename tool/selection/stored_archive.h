// Members of zip archives that are stored without compression, as PyTorch writes them.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// The contents of all stored members by name. They refer to `bytes`. Fails for other files and for damaged archives.
llvm::Expected<std::map<std::string, llvm::StringRef>> stored_members(llvm::StringRef bytes);

}  // namespace structured::gen
