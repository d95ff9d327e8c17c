// A set of files that are written together or not at all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// Files below one directory. A manifest in the directory lists them, so that a later run removes the files that it no
/// longer has.
class FileSet {
 public:
  explicit FileSet(std::string directory) : directory_(std::move(directory)) {}

  /// Adds a file of the set. `path` is relative to the directory, with `/` between its parts, and stays below it.
  /// Fails if the set has the path already.
  llvm::Error add(llvm::StringRef path, std::string contents);
  /// Adds a file outside the directory. It is not listed in the manifest.
  llvm::Error add_elsewhere(llvm::StringRef path, std::string contents);

  /// Relative paths of all files of the set, sorted.
  std::vector<std::string> paths() const;

  /// Writes every file whose bytes would change and removes the files that only the old manifest lists, with folders
  /// that become empty. If any file cannot be written, none is changed.
  llvm::Error write() const;

  static constexpr llvm::StringLiteral manifest_name = "emitted.manifest";

 private:
  std::string directory_;
  std::map<std::string, std::string> files_;      ///< by relative path
  std::map<std::string, std::string> elsewhere_;  ///< by path
};

}  // namespace structured::gen
