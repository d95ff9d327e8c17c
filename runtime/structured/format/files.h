#pragma once
// Files: their bytes in memory, and complete replacements.
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "structured/base/export.h"

namespace structured::detail {

/// Bytes of a file: a private mapping, or a copy that is aligned to 64 bytes. Writes stay in this process.
class STRUCTURED_API FileBytes {
 public:
  /// Maps the file, which must not shrink while the object lives. Throws Error, with the path, if it cannot be read.
  static std::shared_ptr<FileBytes> map(const std::string& path);
  static std::shared_ptr<FileBytes> copy(std::string_view bytes);
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_, size_}; }

 private:
  FileBytes(char* data, std::size_t size, bool is_mapped) : data_(data), size_(size), is_mapped_(is_mapped) {}

  char* data_;
  std::size_t size_;
  bool is_mapped_;
};

/// Calls `write` on a temporary file in the same folder, which then replaces the file at `path`: a reader sees a
/// complete file or none. Throws Error if that fails.
STRUCTURED_API void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace structured::detail
