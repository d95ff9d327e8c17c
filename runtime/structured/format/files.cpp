#include "structured/format/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>

#include "structured/base/error.h"

namespace structured::detail {
namespace {

constexpr std::align_val_t kFileAlignment{64};

/// An open file, closed at the end of the scope.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail_errno(path);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }

  int descriptor() const { return descriptor_; }
  [[noreturn]] static void fail_errno(const std::string& path) {
    fail(path, ": expected a file that can be read, got error \"", std::strerror(errno), "\"");
  }

 private:
  int descriptor_;
};

}  // namespace

std::shared_ptr<FileBytes> FileBytes::map(const std::string& path) {
  const OpenFile file(path);
  struct stat status;
  if (::fstat(file.descriptor(), &status) != 0) OpenFile::fail_errno(path);
  STRUCTURED_CHECK(S_ISREG(status.st_mode), path, ": expected a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return copy({});  // an empty mapping is an error
  void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor(), 0);
  if (data == MAP_FAILED) OpenFile::fail_errno(path);
  return std::shared_ptr<FileBytes>(new FileBytes(static_cast<char*>(data), size, true));
}

std::shared_ptr<FileBytes> FileBytes::copy(std::string_view bytes) {
  auto* const data = static_cast<char*>(::operator new(bytes.size(), kFileAlignment));
  std::shared_ptr<FileBytes> result(new FileBytes(data, bytes.size(), false));
  if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
  return result;
}

FileBytes::~FileBytes() {
  if (is_mapped_) {
    ::munmap(data_, size_);
  } else {
    ::operator delete(data_, kFileAlignment);
  }
}

void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  static std::atomic<unsigned> count = 0;
  const std::string temporary = path + ".tmp." + std::to_string(getpid()) + "." + std::to_string(count++);
  try {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    STRUCTURED_CHECK(out.is_open(), path, ": expected a file that can be written, got error \"", std::strerror(errno),
                     "\"");
    write(out);
    out.close();
    STRUCTURED_CHECK(out.good(), path, ": writing failed with error \"", std::strerror(errno), "\"");
    STRUCTURED_CHECK(std::rename(temporary.c_str(), path.c_str()) == 0, path,
                     ": expected a file that can be replaced, got error \"", std::strerror(errno), "\"");
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

}  // namespace structured::detail
