// Destinations of files that commands write.
#pragma once

#include <string>
#include <system_error>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"

namespace structured::gen {

struct OutputDestination {
  std::string path;  ///< file to write or replace: the end of a chain of links; may not exist
  /// A device, a pipe or standard output: it cannot be replaced, and reading it may never end.
  bool is_written_into = false;
};

/// Fails for circular links.
llvm::ErrorOr<OutputDestination> output_destination(llvm::StringRef path);

/// Whether an existing file has exactly these bytes. Must not be called for devices and pipes.
bool has_contents(llvm::StringRef path, llvm::StringRef contents);

/// Creates `folder` and its parents, with the permissions that the umask allows.
std::error_code make_folders(llvm::StringRef folder);

/// Writes into the existing file, device or pipe; `-` is standard output.
std::error_code write_into(llvm::StringRef path, llvm::StringRef contents);

}  // namespace structured::gen
