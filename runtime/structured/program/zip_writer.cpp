#include "structured/program/zip_writer.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "structured/base/error.h"
#include "structured/format/crc32.h"

namespace structured::program {
namespace {

constexpr std::size_t kEntryAlignment = 64, kLocalBytes = 30;

void append(std::string& record, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) record += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view data) {
  std::string fields;
  append(fields, 20, 2);    // version 2.0
  append(fields, 0, 2);     // flags
  append(fields, 0, 2);     // stored
  append(fields, 0, 2);     // time
  append(fields, 0x21, 2);  // 1980-01-01, so that equal programs give equal files
  append(fields, detail::crc32(0, data.data(), data.size()), 4);
  append(fields, data.size(), 4);
  append(fields, data.size(), 4);
  append(fields, name.size(), 2);

  // The extra field `FB` of PyTorch: only padding.
  constexpr std::size_t kExtraHeader = 4;
  const std::size_t unpadded = offset_ + kLocalBytes + name.size() + kExtraHeader;
  const std::size_t padding = (kEntryAlignment - unpadded % kEntryAlignment) % kEntryAlignment;
  std::string local;
  append(local, 0x04034b50, 4);
  local += fields;
  append(local, kExtraHeader + padding, 2);
  local += name + "FB";
  append(local, padding, 2);
  local.append(padding, '\0');

  append(directory_, 0x02014b50, 4);
  append(directory_, 20, 2);
  directory_ += fields;
  append(directory_, 0, 2);  // extra field
  append(directory_, 0, 2);  // comment
  append(directory_, 0, 2);  // disk
  append(directory_, 0, 2);  // internal attributes
  append(directory_, 0, 4);  // external attributes
  append(directory_, offset_, 4);
  directory_ += name;

  out_ << local << data;
  offset_ += local.size() + data.size();
  STRUCTURED_CHECK(offset_ < 0xffffffff && ++count_ < 0xffff,
                   "expected an archive of less than 4 GiB and 65535 members");
}

void ZipWriter::finish() {
  std::string end;
  append(end, 0x06054b50, 4);
  append(end, 0, 4);  // disks
  append(end, count_, 2);
  append(end, count_, 2);
  append(end, directory_.size(), 4);
  append(end, offset_, 4);
  append(end, 0, 2);  // comment
  out_ << directory_ << end;
}

void write_archive(const std::string& path, const std::function<void(ZipWriter&)>& write) {
  static std::atomic<unsigned> count = 0;
  const std::string temporary = path + ".tmp." + std::to_string(getpid()) + "." + std::to_string(count++);
  try {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    STRUCTURED_CHECK(out.is_open(), path, ": expected a file that can be written, got error \"", std::strerror(errno),
                     "\"");
    ZipWriter zip(out);
    write(zip);
    zip.finish();
    out.close();
    STRUCTURED_CHECK(out.good() && std::rename(temporary.c_str(), path.c_str()) == 0, path,
                     ": writing failed with error \"", std::strerror(errno), "\"");
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

}  // namespace structured::program
