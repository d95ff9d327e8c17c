// Inputs of commands: sources, fragments, libraries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/diagnostic.h"
#include "dialect/dialect.h"
#include "driver/environment.h"
#include "driver/library_options.h"
#include "driver/source_options.h"
#include "driver/timing.h"
#include "llvm/Support/Error.h"
#include "model/declaration.h"
#include "model/imports.h"
#include "model/operator.h"

namespace structured::gen {

struct ScannedSource {
  Fragment fragment;
  std::vector<std::string> dependencies;
};

/// Receives results of scans, besides fragments.
struct ScanReport {
  std::vector<Diagnostic>* findings = nullptr;  ///< receives the errors if all of them concern attributes; else printed
  Timing* timing = nullptr;                     ///< has a phase for each source
};

/// Facts about bodies of functions; bodies are parsed if there is one.
struct Bodies {
  bool checks = false;  ///< that checks need; excludes the others
  bool scalar = false;  ///< graphs of scalar functions
  bool meta = false;    ///< meta functions as data
};

/// Scans all sources in order. Returns std::nullopt if a scan failed, after printing errors that are not in
/// `report.findings`.
std::optional<std::vector<ScannedSource>> scan_sources(const Environment& environment, const LibraryOptions& library,
                                                       const SourceOptions& options,
                                                       const std::vector<std::string>& sources, Bodies bodies,
                                                       const ScanReport& report);

/// Reads fragment files.
llvm::Expected<std::vector<Fragment>> read_fragments(const std::vector<std::string>& paths);

/// Applies the options of the library to its fragments; see program/fragment_options.h.
llvm::Error prepare_fragments(const LibraryOptions& library, std::vector<Fragment>& fragments);

/// Returns the target for the dialect of the library or of the fragments, which must agree. Fails if the library's
/// backends are not backends of the target.
llvm::Expected<const Dialect*> dialect_of(const LibraryOptions& library, const std::vector<Fragment>& fragments);

/// Reads the libraries that the library imports, whose dialect must be that of `target`. Returns std::nullopt after
/// printing errors.
std::optional<std::vector<ImportedLibrary>> read_imports(const Environment& environment, const LibraryOptions& library,
                                                         const Dialect& dialect);

/// Returns the options of checks of the library. The imports must outlive the result.
CheckOptions check_options(const LibraryOptions& library, const Dialect& dialect,
                           const std::vector<ImportedLibrary>& imports);

/// Derives the library from fragments without errors.
Library derived_library(const LibraryOptions& library, const std::vector<Fragment>& fragments, const Dialect& dialect,
                        const std::vector<ImportedLibrary>& imports);

/// Checks the fragments, prints diagnostics, and derives the library. Returns std::nullopt after errors.
std::optional<Library> checked_library(const Environment& environment, const LibraryOptions& library,
                                       const std::vector<Fragment>& fragments, const Dialect& dialect,
                                       const std::vector<ImportedLibrary>& imports);

/// Reads a library from fragments, or from a single operators.json. Returns std::nullopt after errors, which have been
/// printed.
std::optional<Library> read_library(const Environment& environment, const LibraryOptions& library,
                                    const std::vector<std::string>& paths);

/// Returns the incompatible changes of the library since the lock file was written; none if there is no lock file or it
/// is to be updated. Returns std::nullopt after printing errors.
std::optional<std::vector<Diagnostic>> lock_drift(const Environment& environment, const LibraryOptions& options,
                                                  const LockOptions& lock, const Library& library,
                                                  const std::vector<Fragment>& fragments);

/// Updates the lock file if the options request it. Returns false after printing an error. Must be the last step of a
/// command, so that a failed command does not change the file.
bool update_lock(const Environment& environment, const LockOptions& lock, const Library& library);

/// Prints diagnostics and their count as text. Returns false if one is an error.
bool report(const Environment& environment, const LibraryOptions& library, const std::vector<Diagnostic>& diagnostics);

}  // namespace structured::gen
