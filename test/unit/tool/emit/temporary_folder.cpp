#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace structured::gen {

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("structured-emit-test", folder));
  path_ = folder.str().str();
}

TemporaryFolder::~TemporaryFolder() { llvm::sys::fs::remove_directories(path_); }

std::string TemporaryFolder::path(llvm::StringRef relative) const {
  llvm::SmallString<128> joined(path_);
  llvm::sys::path::append(joined, relative);
  return joined.str().str();
}

void TemporaryFolder::write(llvm::StringRef relative, llvm::StringRef contents) const {
  const std::string full = path(relative);
  EXPECT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(full)));
  std::ofstream(full) << contents.str();
}

bool TemporaryFolder::has(llvm::StringRef relative) const { return llvm::sys::fs::exists(path(relative)); }

std::string TemporaryFolder::read(llvm::StringRef relative) const {
  std::ostringstream text;
  text << std::ifstream(path(relative)).rdbuf();
  return text.str();
}

std::map<std::string, std::string> TemporaryFolder::files() const {
  std::map<std::string, std::string> result;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator it(path_, code), end; it != end && !code; it.increment(code)) {
    if (!llvm::sys::fs::is_directory(it->path())) {
      const std::string relative = it->path().substr(path_.size() + 1);
      result[relative] = read(relative);
    }
  }
  return result;
}

std::string message_of(llvm::Error error) { return error ? llvm::toString(std::move(error)) : std::string(); }

}  // namespace structured::gen
