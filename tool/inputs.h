// Inputs of commands: sources, fragments, libraries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/diagnostic.h"
#include "command_line.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"
#include "target/target.h"
#include "timing.h"

namespace structured::gen {

struct ScannedSource {
  Fragment fragment;
  std::vector<std::string> dependencies;
};

/// Returns the compile flags on the command line and in the flags file. Errors name a file that cannot be read.
llvm::Expected<std::vector<std::string>> given_flags(const CommandLine& line);

/// Scans all sources in order. Returns std::nullopt if a scan failed, after printing its errors; if all errors concern
/// attributes and `findings` is given, they are stored there instead. Bodies are parsed only for `check`. Each source
/// is a phase of `timing`, if given.
std::optional<std::vector<ScannedSource>> scan_sources(const CommandLine& line, const std::vector<std::string>& sources,
                                                       std::vector<Diagnostic>* findings = nullptr,
                                                       Timing* timing = nullptr);

/// Reads fragment files.
llvm::Expected<std::vector<Fragment>> read_fragments(const std::vector<std::string>& paths);

/// Applies the options of the library to its fragments: drops functions that other libraries of the namespace have, and
/// leaves off implied out variants.
llvm::Error prepare_fragments(const CommandLine& line, std::vector<Fragment>& fragments);

/// Returns the target for the dialect of the command line or of the fragments, which must agree. Fails if the library's
/// backends are not backends of the target.
llvm::Expected<const Target*> target_of(const CommandLine& line, const std::vector<Fragment>& fragments);

/// Reads the libraries that the command line imports, whose dialect must be that of `target`. Returns std::nullopt
/// after printing errors.
std::optional<std::vector<ImportedLibrary>> read_imports(const CommandLine& line, const Target& target);

/// Returns the options of checks on the command line. The imports must outlive the result.
CheckOptions check_options(const CommandLine& line, const Target& target, const std::vector<ImportedLibrary>& imports);

/// Checks the fragments, prints diagnostics, and derives the library. Returns std::nullopt after errors.
std::optional<Library> checked_library(const CommandLine& line, const std::vector<Fragment>& fragments,
                                       const Target& target, const std::vector<ImportedLibrary>& imports);

/// Reads a library from fragments, or from a single operators.json. Returns std::nullopt after errors, which have been
/// printed.
std::optional<Library> read_library(const CommandLine& line, const std::vector<std::string>& paths);

/// Returns the incompatible changes of the library since the lock file was written; none if there is no lock file or it
/// is to be updated. Returns std::nullopt after printing errors.
std::optional<std::vector<Diagnostic>> lock_drift(const CommandLine& line, const Library& library,
                                                  const std::vector<Fragment>& fragments);

/// Updates the lock file if the command line requests it. Returns false after printing an error. Must be the last step
/// of a command, so that a failed command does not change the file.
bool update_lock(const CommandLine& line, const Library& library);

/// Returns a path on the command line relative to the source root, as diagnostics name it.
std::string below_source_root(const CommandLine& line, llvm::StringRef path);

/// Prints diagnostics and their count as text to standard error. Returns false if one is an error.
bool report(const CommandLine& line, const std::vector<Diagnostic>& diagnostics);

}  // namespace structured::gen
