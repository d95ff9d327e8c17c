// Where the bytes of a file that a command writes go.
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

/// Fails for links that go round in a circle.
llvm::ErrorOr<OutputDestination> output_destination(llvm::StringRef path);

/// Whether an existing file has exactly these bytes. Not for devices and pipes.
bool has_contents(llvm::StringRef path, llvm::StringRef contents);

/// Makes `folder` and those above it. Who may use them is for the umask to say, as with files.
std::error_code make_folders(llvm::StringRef folder);

/// Writes into what is there under `path`; `-` and other names of the standard output go there.
std::error_code write_into(llvm::StringRef path, llvm::StringRef contents);

}  // namespace structured::gen
