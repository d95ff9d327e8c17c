#include "check/source_text.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace structured::gen {

std::string SourceText::path(llvm::StringRef file) const {
  if (llvm::sys::path::is_absolute(file)) {
    return file.str();
  }
  auto below = [&](llvm::StringRef root) {
    llvm::SmallString<256> joined(root == "." ? "" : root);
    llvm::sys::path::append(joined, file);
    return joined.str().str();
  };
  std::string result = below(root_);
  if (generated_root_.empty() || llvm::sys::fs::exists(result)) {
    return result;
  }
  return below(generated_root_);
}

std::optional<llvm::StringRef> SourceText::text(llvm::StringRef file) {
  auto found = texts_.find(file);
  if (found == texts_.end()) {
    auto buffer = llvm::MemoryBuffer::getFile(path(file));
    found = texts_.emplace(file.str(), buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt).first;
  }
  return found->second ? std::optional<llvm::StringRef>(*found->second) : std::nullopt;
}

std::optional<llvm::StringRef> SourceText::line(llvm::StringRef file, unsigned line) {
  const std::optional<size_t> begin = offset(file, {line, 1});
  if (!begin) {
    return std::nullopt;
  }
  return text(file)->substr(*begin).split('\n').first.rtrim('\r');
}

std::optional<size_t> SourceText::offset(llvm::StringRef file, const Position& position) {
  const auto all = text(file);
  if (!all || position.line == 0 || position.column == 0) {
    return std::nullopt;
  }
  size_t start = 0;
  for (unsigned line = 1; line < position.line; ++line) {
    const size_t end = all->find('\n', start);
    if (end == llvm::StringRef::npos) {
      return std::nullopt;
    }
    start = end + 1;
  }
  const size_t at = start + position.column - 1;
  const size_t end = std::min(all->find('\n', start), all->size());
  return at <= end ? std::optional(at) : std::nullopt;
}

}  // namespace structured::gen
