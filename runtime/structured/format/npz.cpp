// The `.npz` format: a zip archive whose members are `.npy` files. Only what NumPy writes without compression is read
// and written: stored members, one disk, no encryption, sizes below 4 GiB.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <istream>
#include <ostream>
#include <string_view>

#include "structured/base/error.h"
#include "structured/format/crc32.h"
#include "structured/format/npy.h"
#include "structured/format/npy_format.h"

namespace structured {
namespace {

constexpr std::uint32_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50, kEndMagic = 0x06054b50;
constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
/// The longest comment after the end record; NumPy writes none.
constexpr std::size_t kMaxCommentBytes = 0xffff;
constexpr std::string_view kSuffix = ".npy";

/// Little-endian fields of a record.
std::uint32_t field(std::string_view record, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(record[at + i]);
  return value;
}
void append(std::string& record, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) record += static_cast<char>(value >> (8 * i) & 0xff);
}

struct Member {
  std::string name;  // with its suffix
  std::uint32_t crc = 0;
  std::uint64_t nbytes = 0;
  std::uint64_t offset = 0;
};

/// The fields that the local header shares with the central directory, from the required version to the lengths.
std::string common_fields(const Member& member) {
  std::string record;
  append(record, 20, 2);    // version 2.0
  append(record, 0, 2);     // flags
  append(record, 0, 2);     // stored
  append(record, 0, 2);     // time
  append(record, 0x21, 2);  // 1980-01-01, so that equal tensors give equal files
  append(record, member.crc, 4);
  append(record, member.nbytes, 4);
  append(record, member.nbytes, 4);
  append(record, member.name.size(), 2);
  append(record, 0, 2);  // extra field
  return record;
}

std::string read_at(std::istream& in, std::uint64_t offset, std::size_t nbytes, const std::string& name) {
  std::string bytes(nbytes, '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(bytes.data(), static_cast<std::streamsize>(nbytes));
  STRUCTURED_CHECK(in.gcount() == static_cast<std::streamsize>(nbytes), name, ": expected ", nbytes,
                   " bytes at offset ", offset, ", found ", in.gcount());
  return bytes;
}

/// Returns the members of the central directory.
std::vector<Member> read_directory(std::istream& in, std::uint64_t file_bytes, const std::string& name) {
  STRUCTURED_CHECK(file_bytes >= kEndBytes, name, ": expected an npz file of at least ", kEndBytes, " bytes, found ",
                   file_bytes);
  const std::size_t tail_bytes = std::min<std::uint64_t>(file_bytes, kEndBytes + kMaxCommentBytes);
  const std::string tail = read_at(in, file_bytes - tail_bytes, tail_bytes, name);
  std::string magic;
  append(magic, kEndMagic, 4);
  const std::size_t end = tail.rfind(magic, tail_bytes - kEndBytes);
  STRUCTURED_CHECK(end != std::string::npos, name, ": expected an npz file, found no end record of a zip archive");
  const std::string_view record = std::string_view(tail).substr(end, kEndBytes);
  const std::uint32_t count = field(record, 10, 2);
  const std::uint64_t directory_bytes = field(record, 12, 4);
  const std::uint64_t directory_offset = field(record, 16, 4);
  STRUCTURED_CHECK(directory_offset + directory_bytes <= file_bytes, name, ": expected a directory within the file's ",
                   file_bytes, " bytes, found one of ", directory_bytes, " bytes at offset ", directory_offset);

  const std::string directory = read_at(in, directory_offset, directory_bytes, name);
  std::vector<Member> members;
  std::uint64_t total = 0;
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    STRUCTURED_CHECK(directory.size() - at >= kCentralBytes && field(directory, at, 4) == kCentralMagic, name,
                     ": expected ", count, " members, found ", i);
    const std::string_view entry = std::string_view(directory).substr(at);
    const std::size_t name_bytes = field(entry, 28, 2);
    const std::size_t entry_bytes = kCentralBytes + name_bytes + field(entry, 30, 2) + field(entry, 32, 2);
    STRUCTURED_CHECK(entry.size() >= entry_bytes, name, ": expected an entry of ", entry_bytes,
                     " bytes in the directory, found ", entry.size());
    Member member;
    member.name = entry.substr(kCentralBytes, name_bytes);
    const std::string where = name + ": member `" + member.name + "`";
    STRUCTURED_CHECK((field(entry, 8, 2) & 1) == 0, where, ": expected one that is not encrypted");
    STRUCTURED_CHECK(field(entry, 10, 2) == 0, where, ": expected an uncompressed member, found compression method ",
                     field(entry, 10, 2), "; write the file by numpy.savez");
    member.crc = field(entry, 16, 4);
    member.nbytes = field(entry, 24, 4);
    member.offset = field(entry, 42, 4);
    STRUCTURED_CHECK(field(entry, 20, 4) == member.nbytes, where, ": expected equal sizes, found ", field(entry, 20, 4),
                     " and ", member.nbytes);
    STRUCTURED_CHECK(member.nbytes != 0xffffffff && member.offset != 0xffffffff, where,
                     ": expected less than 4 GiB, found a zip64 member");
    // Overlapping members could claim far more memory than the file has bytes.
    total += member.nbytes;
    STRUCTURED_CHECK(total <= file_bytes, where, ": expected members within the file's ", file_bytes, " bytes, found ",
                     total);
    members.push_back(std::move(member));
    at += entry_bytes;
  }
  return members;
}

Tensor read_member(std::istream& in, const Member& member, const std::string& name) {
  const std::string where = name + ": member `" + member.name + "`";
  const std::string local = read_at(in, member.offset, kLocalBytes, where);
  STRUCTURED_CHECK(field(local, 0, 4) == kLocalMagic, where, ": expected a local header at offset ", member.offset,
                   ", found other bytes");
  const std::uint64_t data_offset = member.offset + kLocalBytes + field(local, 26, 2) + field(local, 28, 2);
  in.seekg(static_cast<std::streamoff>(data_offset));
  std::uint32_t crc = 0;
  std::array<char, 65536> chunk;
  for (std::uint64_t left = member.nbytes; left > 0;) {
    in.read(chunk.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, chunk.size())));
    const auto found = static_cast<std::size_t>(in.gcount());
    STRUCTURED_CHECK(found != 0, where, ": expected ", left, " more bytes, found the end of the file");
    crc = detail::crc32(crc, chunk.data(), found);
    left -= found;
  }
  STRUCTURED_CHECK(crc == member.crc, where, ": expected checksum ", member.crc, ", found ", crc);
  in.clear();
  in.seekg(static_cast<std::streamoff>(data_offset));
  return detail::read_npy_array(in, member.nbytes, where);
}

}  // namespace

NamedTensors detail::read_npz(std::istream& in, const std::string& name) {
  const std::uint64_t file_bytes = stream_size(in);
  NamedTensors result;
  for (const Member& member : read_directory(in, file_bytes, name)) {
    std::string key = member.name;
    if (key.ends_with(kSuffix)) key.resize(key.size() - kSuffix.size());
    result.emplace_back(std::move(key), read_member(in, member, name));
  }
  return result;
}

void save_npz(const std::string& path, const NamedTensors& tensors) {
  for (auto at = tensors.begin(); at != tensors.end(); ++at) {
    STRUCTURED_CHECK(!at->first.empty() && at->first.size() < 0x8000, path,
                     ": expected a name of 1 to 32767 bytes for each tensor, got one of ", at->first.size());
    STRUCTURED_CHECK(std::none_of(tensors.begin(), at, [&](const auto& other) { return other.first == at->first; }),
                     path, ": expected different names, got `", at->first, "` twice");
  }
  STRUCTURED_CHECK(tensors.size() < 0xffff, path, ": expected at most 65534 tensors, got ", tensors.size());
  detail::replace_file(path, [&](std::ostream& out) {
    std::string directory;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : tensors) {
      const Tensor elements = detail::contiguous_on_host(tensor);
      const std::string header = detail::npy_header(elements);
      Member member{name + std::string(kSuffix), 0, header.size() + elements.nbytes(), offset};
      offset += kLocalBytes + member.name.size() + member.nbytes;
      STRUCTURED_CHECK(offset < 0xffffffff, path, ": expected less than 4 GiB, got more with tensor `", name, "`");
      member.crc = detail::crc32(detail::crc32(0, header.data(), header.size()), elements.data(), elements.nbytes());
      std::string local;
      append(local, kLocalMagic, 4);
      local += common_fields(member) + member.name;
      out << local << header;
      out.write(static_cast<const char*>(elements.data()), static_cast<std::streamsize>(elements.nbytes()));
      append(directory, kCentralMagic, 4);
      append(directory, 20, 2);  // version 2.0
      directory += common_fields(member);
      append(directory, 0, 2);  // comment
      append(directory, 0, 2);  // disk
      append(directory, 0, 2);  // internal attributes
      append(directory, 0, 4);  // external attributes
      append(directory, member.offset, 4);
      directory += member.name;
    }
    std::string end;
    append(end, kEndMagic, 4);
    append(end, 0, 4);  // disks
    append(end, tensors.size(), 2);
    append(end, tensors.size(), 2);
    append(end, directory.size(), 4);
    append(end, offset, 4);
    append(end, 0, 2);  // comment
    out << directory << end;
  });
}

NamedTensors load_npz(const std::string& path) {
  NamedTensors result;
  detail::read_file(path, [&](std::istream& in) { result = detail::read_npz(in, path); });
  return result;
}

}  // namespace structured
