// Streams of a command, so that tests run commands in memory.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace structured::gen {

/// Exit statuses, which distinguish errors in the input from misuse of the command line.
inline constexpr int exit_success = 0;
inline constexpr int exit_errors = 1;
inline constexpr int exit_misuse = 2;

/// The streams of a run.
struct Environment {
  llvm::raw_ostream& err;
  llvm::raw_ostream* out = nullptr;  ///< receives the file `-`; null: the standard output
  std::string program;               ///< argv[0]
  bool colors = false;               ///< on `err`

  /// Prints `structured-gen: error: MESSAGE` and returns `status`.
  int fail(const std::string& message, int status = exit_errors) const;
  int fail(llvm::Error error) const { return fail(llvm::toString(std::move(error))); }

  /// Writes a file as write_output does, the file `-` to `out`.
  llvm::Error write(llvm::StringRef path, llvm::StringRef contents) const;
  /// Writes a file. Returns the exit status, after printing an error.
  int finish(llvm::StringRef path, llvm::StringRef contents) const;
};

}  // namespace structured::gen
