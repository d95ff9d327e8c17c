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

/// Compile flags that the command line has or names, other than by `-p`. Errors name the file that cannot be read.
llvm::Expected<std::vector<std::string>> given_flags(const CommandLine& line);

/// Scans all sources, in order. Returns std::nullopt if a scan failed, after printing its errors, unless
/// `findings` is given and all errors are ours: it has them. Bodies are read for `check` only. Each source is a phase
/// of `timing`, if that is given.
std::optional<std::vector<ScannedSource>> scan_sources(const CommandLine& line, const std::vector<std::string>& sources,
                                                       std::vector<Diagnostic>* findings = nullptr,
                                                       Timing* timing = nullptr);

/// Reads fragment files.
llvm::Expected<std::vector<Fragment>> read_fragments(const std::vector<std::string>& paths);

/// The dialect that the command line or the fragments name; they must agree.
llvm::Expected<const Target*> target_of(const CommandLine& line, const std::vector<Fragment>& fragments);

/// The libraries that the command line imports, in the dialect of the importing one. Returns std::nullopt after errors,
/// which have been printed.
std::optional<std::vector<ImportedLibrary>> read_imports(const CommandLine& line, const Target& target);

/// The options of checks on the command line. The imports must outlive the result.
CheckOptions check_options(const CommandLine& line, const Target& target, const std::vector<ImportedLibrary>& imports);

/// Checks the fragments, prints what is found, and derives the library. Returns std::nullopt after errors.
std::optional<Library> checked_library(const CommandLine& line, const std::vector<Fragment>& fragments,
                                       const Target& target, const std::vector<ImportedLibrary>& imports);

/// A library from fragments, or from the one operators.json that `paths` names. Returns std::nullopt after errors,
/// which have been printed.
std::optional<Library> read_library(const CommandLine& line, const std::vector<std::string>& paths);

/// Differences of the library from the command line's lock file that break callers; none if
/// there is no lock file, or if it is to be updated. Returns std::nullopt after errors, which have been printed.
std::optional<std::vector<Diagnostic>> lock_drift(const CommandLine& line, const Library& library,
                                                  const std::vector<Fragment>& fragments);

/// Writes the lock file anew if the command line asks for it; false after an error, which has been printed. The last
/// thing that a command does, so that nothing is promised that fails.
bool update_lock(const CommandLine& line, const Library& library);

/// A path of the command line as diagnostics name it: they resolve paths against the source root.
std::string below_source_root(const CommandLine& line, llvm::StringRef path);

/// Prints diagnostics and their count as text to the standard error output; false if one is an error.
bool report(const CommandLine& line, const std::vector<Diagnostic>& diagnostics);

}  // namespace structured::gen
