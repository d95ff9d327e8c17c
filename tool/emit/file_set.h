// The files of one run, collected in memory and then written together or not at all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

/// Files below one directory, which belong to the set: a manifest in the directory names them, and those that an
/// earlier run wrote and this one does not have are removed.
class FileSet {
 public:
  explicit FileSet(std::string directory) : directory_(std::move(directory)) {}

  /// Adds a file of the set. `path` is relative to the directory, with `/` between its parts, and stays below it.
  /// A path that the set already has is an error.
  llvm::Error add(llvm::StringRef path, std::string contents);
  /// Adds a file somewhere else, which is written with the others but is not in the manifest.
  llvm::Error add_elsewhere(llvm::StringRef path, std::string contents);

  /// Relative paths of all files of the set, sorted.
  std::vector<std::string> paths() const;

  /// Writes every file whose bytes differ from what is there, and removes those that the old manifest has and this
  /// set has not, with the folders that get empty. If any file cannot be written, none is changed.
  llvm::Error write() const;

  static constexpr llvm::StringLiteral manifest_name = "emitted.manifest";

 private:
  std::string directory_;
  std::map<std::string, std::string> files_;      ///< by relative path
  std::map<std::string, std::string> elsewhere_;  ///< by path
};

}  // namespace structured::gen
