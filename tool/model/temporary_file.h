// Files that are written beside their destination and then renamed, so that no reader ever sees half of one.
#pragma once

#include <string>
#include <system_error>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Creates an empty file beside `path`, to be renamed to it, and stores its path and an open descriptor. A signal that
/// ends this process removes the file. SIGKILL cannot: the name, `<path>.<process id>-<random>.partial`, tells later
/// runs whose file it was, and the first call for a folder removes there what processes that are gone have left. A run
/// on another machine that shares the folder looks gone, and its rename fails. Thread-safe.
std::error_code create_temporary(llvm::StringRef path, int& descriptor, llvm::SmallString<256>& temporary);

/// Creates such a file with these contents. Leaves none behind when it fails.
std::error_code write_temporary(llvm::StringRef path, llvm::StringRef contents, llvm::SmallString<256>& temporary);

}  // namespace structured::gen
