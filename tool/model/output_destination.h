// Where the bytes of a file that a command writes go.
#pragma once

#include <string>
#include <system_error>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"

namespace structured::gen {

struct OutputDestination {
  std::string path;  ///< what to write or replace: the end of a chain of links, whether or not it is there
  /// A device, a pipe, or the standard output: nothing may take its place, and it may have no end to read to.
  bool is_written_into = false;
};

/// Fails for links that go round in a circle.
llvm::ErrorOr<OutputDestination> output_destination(llvm::StringRef path);

/// Whether a file that is there already has just these bytes. Not for what is written into.
bool has_contents(llvm::StringRef path, llvm::StringRef contents);

/// Makes `folder` and those above it. Who may use them is for the umask to say, as with files.
std::error_code make_folders(llvm::StringRef folder);

/// Writes into what is there under `path`; `-` and other names of the standard output go there.
std::error_code write_into(llvm::StringRef path, llvm::StringRef contents);

}  // namespace structured::gen
