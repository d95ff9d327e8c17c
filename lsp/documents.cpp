#include "documents.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace structured::lsp {

void Documents::open(const std::string& path, std::string text, int64_t version) {
  open_[path] = {TextDocument(std::move(text)), version};
  on_disk_.erase(path);
  changed(path);
}

void Documents::close(const std::string& path) {
  open_.erase(path);
  unsaved_.erase(path);
}

Documents::Open* Documents::find(const std::string& path) {
  auto found = open_.find(path);
  return found == open_.end() ? nullptr : &found->second;
}

void Documents::changed(const std::string& path) {
  const std::string& text = open_.at(path).document.text();
  if (text.size() > size_limit) {
    unsaved_.erase(path);
    return;
  }
  unsaved_[path] = {text, next_version_++};
}

const TextDocument* Documents::text(const std::string& path) {
  if (Open* document = find(path)) return &document->document;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status) || status.type() != llvm::sys::fs::file_type::regular_file) return nullptr;
  auto found = on_disk_.find(path);
  if (found != on_disk_.end() && found->second.time == status.getLastModificationTime() &&
      found->second.size == status.getSize()) {
    return &found->second.document;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return nullptr;
  if (on_disk_.size() > 200) on_disk_.clear();  // more than are shown at a time
  Cached& cached = on_disk_[path];
  cached = {TextDocument((*buffer)->getBuffer().str()), status.getLastModificationTime(), status.getSize()};
  return &cached.document;
}

}  // namespace structured::lsp
