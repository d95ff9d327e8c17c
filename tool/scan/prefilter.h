// Text search that rules out sources without annotations before anything is parsed.
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
    /// Whether the source, or a header that the command line includes, may define or undefine a macro before its first
    /// include directive.
    bool defines_before_includes = false;
    std::vector<std::string> visited;  ///< files that were read: the source and its headers
  };

  /// Searches `source` and the headers it includes, found beside the including file or in `include_dirs`; system
  /// folders are not searched. `forced` lists headers included by the command line.
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
