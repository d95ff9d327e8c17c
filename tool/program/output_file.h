// Files that commands write.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// Writes a temporary file and renames it. Leaves a file with equal bytes untouched. For a link, replaces the target.
/// Writes devices and pipes in place; `-` is standard output. Creates missing directories.
llvm::Error write_output(llvm::StringRef path, llvm::StringRef contents);

/// Replaces `path` by a complete temporary file, with the rules of `write_output`; removes the temporary file if the
/// bytes are equal.
llvm::Error replace_output(llvm::StringRef path, llvm::StringRef temporary);

/// Returns a dependency file for Ninja and make. If the target is relative to the working directory, so are
/// dependencies below that directory, so that the text does not depend on its location. Each dependency gets an empty
/// rule; without it, make would fail if the file were removed.
std::string depfile_text(llvm::StringRef target, const std::vector<std::string>& dependencies);

/// Reads a whole file.
llvm::Expected<std::string> read_input(llvm::StringRef path);

}  // namespace structured::gen
