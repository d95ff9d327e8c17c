// Libraries of a build folder: structured_libraries.json, which structured_add_library writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "scan/scanner.h"

namespace structured::gen {

/// A library of operators, as structured_add_library declares it. Paths are absolute.
struct LibraryConfig {
  std::string name;
  std::string root;
  std::string schema_namespace = "aten";
  std::string cpp_namespace = "structured";
  std::string dialect = "native";
  std::vector<std::string> sources;
  std::vector<std::string> imports;
  std::vector<std::string> backends;
  std::string lock;
  std::string other_headers;    ///< lists headers that other libraries of the namespace have as sources
  bool leaves_off_out = false;  ///< operators have only the out variants that they name
  std::string cuda_toolkit;
  std::vector<std::string> compiler_flags;  ///< select the machine and the system headers of the project's compiler
  bool is_whole = true;                     ///< the list of sources is complete

  /// The target of the build that writes the lock file.
  std::string lock_target() const { return name + "_update_lock"; }
};

/// Reads the array that structured_add_library writes. Omits libraries without sources and those of unknown dialects,
/// and describes them in `problems`. Relative paths are resolved against the root of their library, and roots against
/// `directory`.
std::vector<LibraryConfig> read_library_configs(const llvm::json::Array& array, llvm::StringRef directory,
                                                std::vector<std::string>& problems);

/// Reads `build_dir`/structured_libraries.json. Returns std::nullopt if the file does not exist.
llvm::Expected<std::optional<std::vector<LibraryConfig>>> library_configs(llvm::StringRef build_dir,
                                                                          std::vector<std::string>& problems);

/// Adds the compiler flags of the library of each source, in front; those of the first library for other sources.
void add_compiler_flags(const std::vector<LibraryConfig>& libraries, SourceCommand& command);

/// Replace `value` by the member of that name if it is a string, and `values` by the
/// strings of an array.
void read_text(const llvm::json::Object& object, llvm::StringRef name, std::string& value);
void read_texts(const llvm::json::Object& object, llvm::StringRef name, std::vector<std::string>& values);

/// Resolves symbolic links if the file exists.
std::string real_path(llvm::StringRef path);

/// Returns the absolute path, without `..`, and with symbolic links resolved if the file exists.
std::string absolute_path(llvm::StringRef path, llvm::StringRef directory);

}  // namespace structured::gen
