#include "structured/format/zip_writer.h"

#include "structured/base/error.h"
#include "structured/format/crc32.h"
#include "structured/format/files.h"

namespace structured::detail {
namespace {

constexpr std::size_t kLocalBytes = 30;

/// Appends a little-endian field.
void append(std::string& record, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) record += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Returns an extra field, `FB` of PyTorch, whose padding aligns the bytes that follow it; empty if they are aligned at
/// any offset.
std::string padding_at(uint64_t offset, std::size_t alignment) {
  constexpr std::size_t kHeaderBytes = 4;
  if (alignment == 1) return "";
  const std::size_t padding = (alignment - (offset + kHeaderBytes) % alignment) % alignment;
  std::string field = "FB";
  append(field, padding, 2);
  return field.append(padding, '\0');
}

}  // namespace

void ZipWriter::add(const std::string& name, std::initializer_list<std::string_view> parts) {
  uint64_t nbytes = 0;
  uint32_t crc = 0;
  for (const std::string_view part : parts) {
    nbytes += part.size();
    crc = crc32(crc, part.data(), part.size());
  }
  STRUCTURED_CHECK(name.size() <= 0xffff, name_, ": expected names of members of at most 65535 bytes, got one of ",
                   name.size());
  const std::string extra = padding_at(offset_ + kLocalBytes + name.size(), alignment_);
  const uint64_t end = offset_ + kLocalBytes + name.size() + extra.size() + nbytes;
  STRUCTURED_CHECK(end < 0xffffffff, name_, ": expected less than 4 GiB, got more with `", name, "`");
  STRUCTURED_CHECK(++count_ < 0xffff, name_, ": expected at most 65534 members, got more");

  std::string fields;       // that both headers have
  append(fields, 20, 2);    // version 2.0
  append(fields, 0, 2);     // flags
  append(fields, 0, 2);     // stored
  append(fields, 0, 2);     // time
  append(fields, 0x21, 2);  // 1980-01-01
  append(fields, crc, 4);
  append(fields, nbytes, 4);
  append(fields, nbytes, 4);
  append(fields, name.size(), 2);

  std::string local;
  append(local, 0x04034b50, 4);
  local += fields;
  append(local, extra.size(), 2);
  local += name + extra;

  append(directory_, 0x02014b50, 4);
  append(directory_, 20, 2);  // version 2.0
  directory_ += fields;
  append(directory_, 0, 2);  // extra field
  append(directory_, 0, 2);  // comment
  append(directory_, 0, 2);  // disk
  append(directory_, 0, 2);  // internal attributes
  append(directory_, 0, 4);  // external attributes
  append(directory_, offset_, 4);
  directory_ += name;

  out_ << local;
  for (const std::string_view part : parts) out_ << part;
  offset_ = end;
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

void write_archive(const std::string& path, std::size_t alignment, const std::function<void(ZipWriter&)>& write) {
  replace_file(path, [&](std::ostream& out) {
    ZipWriter zip(out, path, alignment);
    write(zip);
    zip.finish();
  });
}

}  // namespace structured::detail
