// Files that commands write.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// Writes under another name first, then renames; a file whose bytes are the same already is not touched. A link stays,
/// and its target is replaced. Devices and pipes are written in place. `-` is standard output. Creates directories.
llvm::Error write_output(llvm::StringRef path, llvm::StringRef contents);

/// Puts a finished temporary file in the place of `path` as `write_output` would, or removes it if the bytes are the
/// same.
llvm::Error replace_output(llvm::StringRef path, llvm::StringRef temporary);

/// A Makefile-style dependency file for Ninja and make. Where the target is named relative to the working directory, so
/// are dependencies below that, and the text is the same wherever the directory is. Each dependency has a rule of its
/// own, without which make would give up when one is gone.
std::string depfile_text(llvm::StringRef target, const std::vector<std::string>& dependencies);

/// The whole of a file.
llvm::Expected<std::string> read_input(llvm::StringRef path);

}  // namespace structured::gen
