// Options of commands that parse sources: compile flags, and what Clang needs to find headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/environment.h"
#include "driver/library_options.h"
#include "driver/option_set.h"
#include "llvm/Support/Error.h"
#include "scan/scanner.h"

namespace structured::gen {

/// A command declares those that it uses; the others keep their defaults.
struct SourceOptions {
  std::optional<std::vector<std::string>> compile_flags;  ///< after `--`
  std::string flags_file;
  std::vector<std::string> source_flags;  ///< further lines of the flags file
  std::string build_dir;                  ///< folder with compile_commands.json; empty: none
  std::string pch;
  std::string resource_dir;  ///< empty: beside the program
  std::optional<std::string> cuda_toolkit;
  std::vector<std::string> emitted_prefixes;
  std::string depfile;

  void declare_flags(OptionSet& options);  ///< --flags-file, --resource-dir and flags after `--`
  void declare_build_dir(OptionSet& options);
  void declare_pch(OptionSet& options);
  void declare_headers(OptionSet& options);  ///< --cuda-path and --emitted-include-prefix
  void declare_depfile(OptionSet& options);

  /// Describes the first invalid combination; empty if there is none.
  std::string misuse() const;

  /// Returns the flags on the command line and in the flags file. Errors name a file that cannot be read.
  llvm::Expected<std::vector<std::string>> given_flags() const;
  /// Returns the options of a scanner for sources of the library.
  ScanOptions scan_options(const Environment& environment, const LibraryOptions& library) const;
};

}  // namespace structured::gen
