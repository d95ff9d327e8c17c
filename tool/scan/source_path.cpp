#include "scan/source_path.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace structured::gen {
namespace {

std::optional<llvm::StringRef> below(llvm::StringRef path, llvm::StringRef root) {
  if (root.empty() || !path.consume_front(root)) return std::nullopt;
  if (!root.ends_with("/") && !path.consume_front("/")) return std::nullopt;
  return path;
}

/// Returns the path without `.` and `..`.
llvm::SmallString<256> absolute_path(llvm::StringRef path, llvm::StringRef working_directory) {
  llvm::SmallString<256> absolute(path);
  if (!llvm::sys::path::is_absolute(path)) {
    absolute = working_directory;
    llvm::sys::path::append(absolute, path);
  }
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute;
}

}  // namespace

SourceRoot::SourceRoot(llvm::StringRef directory) {
  llvm::SmallString<256> path(directory);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  lexical_ = path.str().str();
  llvm::SmallString<256> real;
  if (!llvm::sys::fs::real_path(path, real)) real_ = real.str().str();
}

std::optional<std::string> SourceRoot::inside(llvm::StringRef absolute) const {
  if (auto inner = below(absolute, lexical_)) return inner->str();
  if (auto inner = below(absolute, real_)) return inner->str();
  llvm::SmallString<256> real;
  if (!llvm::sys::fs::real_path(absolute, real)) {
    if (auto inner = below(real, real_)) return inner->str();
  }
  return std::nullopt;
}

std::string SourceRoot::relative(llvm::StringRef path, llvm::StringRef working_directory) const {
  return inside(absolute_path(path, working_directory)).value_or(path.str());
}

std::string SourceRoot::relative_or_absolute(llvm::StringRef path, llvm::StringRef working_directory) const {
  llvm::SmallString<256> absolute = absolute_path(path, working_directory);
  return inside(absolute).value_or(absolute.str().str());
}

}  // namespace structured::gen
