// Tells by reading text, before anything is parsed, that a source has no annotations.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

namespace structured::gen {

class Prefilter {
 public:
  struct Result {
    bool may_have_annotations = true;
    /// Whether text before the first include directive defines or undefines a macro.
    bool defines_before_includes = false;
    std::vector<std::string> visited;  ///< the source and the headers that were read
  };

  /// Follows quoted includes and those that `include_dirs` reach, not those of system folders. `forced` are headers
  /// included from the command line.
  Result look_at(llvm::vfs::FileSystem& files, llvm::StringRef source, const std::vector<std::string>& include_dirs,
                 const std::vector<std::string>& forced);

 private:
  struct FileFacts {
    bool exists = false;
    bool mentions_scope = false;
    bool defines_before_includes = false;
    std::vector<std::string> includes;
  };
  const FileFacts& facts(llvm::vfs::FileSystem& files, llvm::StringRef path);

  std::map<std::string, FileFacts, std::less<>> facts_;
};

}  // namespace structured::gen
