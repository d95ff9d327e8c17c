// Temporary folder of a test, removed at its end.
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace structured::gen {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path(llvm::StringRef relative) const;
  void write(llvm::StringRef relative, llvm::StringRef contents) const;
  bool has(llvm::StringRef relative) const;
  std::string read(llvm::StringRef relative) const;
  /// Returns the contents of all files in the folder, by relative path.
  std::map<std::string, std::string> files() const;

 private:
  std::string path_;
};

/// Returns the message of an error; empty for success.
std::string message_of(llvm::Error error);

}  // namespace structured::gen
