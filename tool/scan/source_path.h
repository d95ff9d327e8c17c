// How paths are written down: relative to the source root where they lie below it, so that the same sources give
// the same bytes on every machine.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace structured::gen {

class SourceRoot {
 public:
  /// `directory` is made absolute against the process's working directory.
  explicit SourceRoot(llvm::StringRef directory);

  /// `path`, absolute or relative to `working_directory`, below the root: relative to it, with `/`. Otherwise as it
  /// came.
  std::string relative(llvm::StringRef path, llvm::StringRef working_directory) const;

  llvm::StringRef absolute() const { return lexical_; }

 private:
  std::string lexical_;  ///< without `.` and `..`
  std::string real_;     ///< with symbolic links resolved
};

}  // namespace structured::gen
