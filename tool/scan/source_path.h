// Paths relative to the source root, so that equal sources give equal bytes on every machine.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

class SourceRoot {
 public:
  /// `directory` may be relative to the working directory of the process.
  explicit SourceRoot(llvm::StringRef directory);

  /// Returns `path`, absolute or relative to `working_directory`, relative to the root with `/` as separator if it is
  /// below the root; otherwise unchanged.
  std::string relative(llvm::StringRef path, llvm::StringRef working_directory) const;

  /// As relative(), but a path outside of the root is absolute, without `..`, however `path` is spelled.
  std::string relative_or_absolute(llvm::StringRef path, llvm::StringRef working_directory) const;

  llvm::StringRef absolute() const { return lexical_; }

 private:
  /// Returns the absolute path below the root as a relative one; std::nullopt if it is outside.
  std::optional<std::string> inside(llvm::StringRef absolute) const;

  std::string lexical_;  ///< without `.` and `..`
  std::string real_;     ///< with symbolic links resolved
};

}  // namespace structured::gen
