#include "structured/program/zip.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "structured/core/crc32.h"
#include "structured/core/error.h"

namespace structured::program {
namespace {

constexpr std::uint64_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50, kEndMagic = 0x06054b50;
constexpr std::uint64_t kEnd64Magic = 0x06064b50, kLocator64Magic = 0x07064b50;
constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kLocator64Bytes = 20;
constexpr std::size_t kMaxCommentBytes = 0xffff;
constexpr std::uint64_t kIn64 = 0xffffffff;  // the value is in a zip64 record
constexpr std::uint64_t kZip64Tag = 1;

/// Little-endian field of a record.
std::uint64_t field(std::string_view record, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(record[at + i]);
  return value;
}

/// Fields of 8 bytes in the zip64 extra field of a central directory entry, which holds those that did not fit.
class Extra64 {
 public:
  explicit Extra64(std::string_view extra) {
    while (extra.size() >= 4) {
      const std::size_t nbytes = field(extra, 2, 2);
      if (nbytes > extra.size() - 4) return;
      if (field(extra, 0, 2) == kZip64Tag) {
        rest_ = extra.substr(4, nbytes);
        return;
      }
      extra.remove_prefix(4 + nbytes);
    }
  }
  std::optional<std::uint64_t> next() {
    if (rest_.size() < 8) return std::nullopt;
    const std::uint64_t value = field(rest_, 0, 8);
    rest_.remove_prefix(8);
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace

struct ZipArchive::Directory {
  std::uint64_t count;
  std::uint64_t nbytes;
  std::uint64_t offset;
};

ZipArchive::ZipArchive(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  read_directory(find_directory());
  check_layout();
}

ZipArchive::Directory ZipArchive::find_directory() const {
  STRUCTURED_CHECK(bytes_.size() >= kEndBytes, name_, ": expected a zip archive of at least ", kEndBytes,
                   " bytes, found ", bytes_.size());
  std::size_t end = bytes_.size() - kEndBytes;
  const std::size_t first = end - std::min(end, kMaxCommentBytes);
  while (field(bytes_, end, 4) != kEndMagic) {
    STRUCTURED_CHECK(end > first, name_, ": expected a zip archive, found no end record");
    --end;
  }
  Directory result{field(bytes_, end + 10, 2), field(bytes_, end + 12, 4), field(bytes_, end + 16, 4)};
  // PyTorch writes zip64 records for archives of any size.
  if (end >= kLocator64Bytes && field(bytes_, end - kLocator64Bytes, 4) == kLocator64Magic) {
    const std::uint64_t at = field(bytes_, end - kLocator64Bytes + 8, 8);
    STRUCTURED_CHECK(at <= bytes_.size() && bytes_.size() - at >= kEnd64Bytes && field(bytes_, at, 4) == kEnd64Magic,
                     name_, ": expected a zip64 end record at offset ", at, ", found none");
    result = {field(bytes_, at + 32, 8), field(bytes_, at + 40, 8), field(bytes_, at + 48, 8)};
  }
  STRUCTURED_CHECK(result.offset <= bytes_.size() && result.nbytes <= bytes_.size() - result.offset, name_,
                   ": expected a directory within the file's ", bytes_.size(), " bytes, found one of ", result.nbytes,
                   " bytes at offset ", result.offset);
  STRUCTURED_CHECK(result.count <= result.nbytes / kCentralBytes, name_, ": expected at most ",
                   result.nbytes / kCentralBytes, " members in a directory of ", result.nbytes, " bytes, found ",
                   result.count);
  return result;
}

void ZipArchive::read_directory(const Directory& directory) {
  std::string_view rest = bytes_.substr(directory.offset, directory.nbytes);
  members_.reserve(directory.count);
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    STRUCTURED_CHECK(rest.size() >= kCentralBytes && field(rest, 0, 4) == kCentralMagic, name_, ": expected ",
                     directory.count, " members, found ", i);
    const std::size_t name_bytes = field(rest, 28, 2), extra_bytes = field(rest, 30, 2);
    const std::size_t entry_bytes = kCentralBytes + name_bytes + extra_bytes + field(rest, 32, 2);
    STRUCTURED_CHECK(rest.size() >= entry_bytes, name_, ": expected an entry of ", entry_bytes,
                     " bytes in the directory, found ", rest.size());
    Member member;
    member.name = rest.substr(kCentralBytes, name_bytes);
    STRUCTURED_CHECK((field(rest, 8, 2) & 1) == 0, name_, ": member `", member.name,
                     "`: expected one that is not encrypted");
    member.is_stored = field(rest, 10, 2) == 0;
    member.crc = static_cast<std::uint32_t>(field(rest, 16, 4));
    std::uint64_t full = field(rest, 24, 4), packed = field(rest, 20, 4), local = field(rest, 42, 4);
    Extra64 extra(rest.substr(kCentralBytes + name_bytes, extra_bytes));
    for (std::uint64_t* const value : {&full, &packed, &local}) {
      if (*value != kIn64) continue;
      const std::optional<std::uint64_t> found = extra.next();
      STRUCTURED_CHECK(found.has_value(), name_, ": member `", member.name, "`: expected a zip64 field, found none");
      *value = *found;
    }
    STRUCTURED_CHECK(!member.is_stored || full == packed, name_, ": member `", member.name,
                     "`: expected equal sizes of a stored member, found ", packed, " and ", full);
    STRUCTURED_CHECK(
        local <= bytes_.size() && bytes_.size() - local >= kLocalBytes && field(bytes_, local, 4) == kLocalMagic, name_,
        ": member `", member.name, "`: expected a local header at offset ", local, ", found none");
    const std::uint64_t local_name_bytes = field(bytes_, local + 26, 2);
    const std::uint64_t data = local + kLocalBytes + local_name_bytes + field(bytes_, local + 28, 2);
    STRUCTURED_CHECK(data <= bytes_.size() && packed <= bytes_.size() - data, name_, ": member `", member.name,
                     "`: expected ", packed, " bytes at offset ", data, " within the file's ", bytes_.size());
    STRUCTURED_CHECK(bytes_.substr(local + kLocalBytes, local_name_bytes) == member.name, name_, ": member `",
                     member.name, "`: expected this name in the local header, found `",
                     bytes_.substr(local + kLocalBytes, local_name_bytes), "`");
    member.offset = data;
    member.nbytes = packed;
    members_.push_back(member);
    rest.remove_prefix(entry_bytes);
  }
}

void ZipArchive::check_layout() {
  std::vector<const Member*> by_offset;
  by_offset.reserve(members_.size());
  for (const Member& member : members_) by_offset.push_back(&member);
  std::sort(by_offset.begin(), by_offset.end(), [](const Member* a, const Member* b) { return a->offset < b->offset; });
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const Member& before = *by_offset[i - 1];
    STRUCTURED_CHECK(by_offset[i]->offset - before.offset >= before.nbytes + kLocalBytes, name_, ": member `",
                     before.name, "`: expected members that do not overlap, found one that overlaps `",
                     by_offset[i]->name, "`");
  }
  std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(members_.begin(), members_.end(),
                                        [](const Member& a, const Member& b) { return a.name == b.name; });
  STRUCTURED_CHECK(twice == members_.end(), name_, ": expected one member `", twice->name, "`, found two");
}

const ZipArchive::Member* ZipArchive::find(std::string_view name) const {
  const auto at = std::lower_bound(members_.begin(), members_.end(), name,
                                   [](const Member& member, std::string_view key) { return member.name < key; });
  return at != members_.end() && at->name == name ? &*at : nullptr;
}

std::string_view ZipArchive::read(const Member& member) const {
  STRUCTURED_CHECK(member.is_stored, name_, ": member `", member.name,
                   "`: expected a stored member, found a compressed one");
  const std::string_view data = bytes_.substr(member.offset, member.nbytes);
  const std::uint32_t crc = detail::crc32(0, data.data(), data.size());
  STRUCTURED_CHECK(crc == member.crc, name_, ": member `", member.name, "`: expected checksum ", member.crc, ", found ",
                   crc);
  return data;
}

std::string_view ZipArchive::read(std::string_view name) const {
  const Member* const member = find(name);
  STRUCTURED_CHECK(member != nullptr, name_, ": expected a member `", name, "`, found none");
  return read(*member);
}

}  // namespace structured::program
