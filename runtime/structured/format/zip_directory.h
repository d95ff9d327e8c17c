#pragma once
// Directory of a zip archive in memory. The runtime and structured-gen include this header, which includes neither.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace structured::detail {

/// Member of a zip archive.
struct ZipMember {
  std::string_view name;
  std::size_t offset = 0;  ///< offset of the data
  std::size_t nbytes = 0;
  uint32_t crc = 0;
  bool is_stored = true;  ///< false: compressed
};

/// Reads the central directory of an archive, with zip64 records. Members of one archive have distinct names and do not
/// overlap, so that all of them together are no larger than the file.
class ZipDirectory {
 public:
  /// `bytes` outlive the members.
  explicit ZipDirectory(std::string_view bytes) : bytes_(bytes) {
    if (find() && read()) check_layout();
    if (!error_.empty()) members_.clear();
  }

  /// Empty unless the archive is damaged or has encrypted members.
  const std::string& error() const { return error_; }
  /// Sorted by name.
  std::vector<ZipMember>& members() { return members_; }

  /// Bytes of a member.
  std::string_view data(const ZipMember& member) const { return bytes_.substr(member.offset, member.nbytes); }

 private:
  static constexpr uint64_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50, kEndMagic = 0x06054b50;
  static constexpr uint64_t kEnd64Magic = 0x06064b50, kLocator64Magic = 0x07064b50;
  static constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56;
  static constexpr std::size_t kLocator64Bytes = 20, kMaxCommentBytes = 0xffff;
  static constexpr uint64_t kIn64 = 0xffffffff;  // the value is in a zip64 record
  static constexpr uint64_t kZip64Tag = 1;

  /// Little-endian field of a record.
  static uint64_t field(std::string_view record, std::size_t at, std::size_t bytes) {
    uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(record[at + i]);
    return value;
  }

  /// Fields of 8 bytes in the zip64 extra field of an entry, which holds those that did not fit.
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
    std::optional<uint64_t> next() {
      if (rest_.size() < 8) return std::nullopt;
      const uint64_t value = field(rest_, 0, 8);
      rest_.remove_prefix(8);
      return value;
    }

   private:
    std::string_view rest_;
  };

  static std::string text(uint64_t number) { return std::to_string(number); }
  bool expect(bool condition, const std::string& problem) {
    if (!condition) error_ = problem;
    return condition;
  }

  bool find() {
    if (bytes_.size() < kEndBytes) {
      return expect(false,
                    "expected a zip archive of at least " + text(kEndBytes) + " bytes, found " + text(bytes_.size()));
    }
    std::size_t end = bytes_.size() - kEndBytes;
    const std::size_t first = end - std::min(end, kMaxCommentBytes);
    while (field(bytes_, end, 4) != kEndMagic) {
      if (end == first) return expect(false, "expected a zip archive, found no end record");
      --end;
    }
    count_ = field(bytes_, end + 10, 2);
    nbytes_ = field(bytes_, end + 12, 4);
    offset_ = field(bytes_, end + 16, 4);
    // PyTorch writes zip64 records for archives of any size.
    if (end >= kLocator64Bytes && field(bytes_, end - kLocator64Bytes, 4) == kLocator64Magic) {
      const uint64_t at = field(bytes_, end - kLocator64Bytes + 8, 8);
      if (at > bytes_.size() || bytes_.size() - at < kEnd64Bytes || field(bytes_, at, 4) != kEnd64Magic) {
        return expect(false, "expected a zip64 end record at offset " + text(at) + ", found none");
      }
      count_ = field(bytes_, at + 32, 8);
      nbytes_ = field(bytes_, at + 40, 8);
      offset_ = field(bytes_, at + 48, 8);
    }
    return expect(offset_ <= bytes_.size() && nbytes_ <= bytes_.size() - offset_,
                  "expected a directory within the file's " + text(bytes_.size()) + " bytes, found one of " +
                      text(nbytes_) + " bytes at offset " + text(offset_)) &&
           expect(count_ <= nbytes_ / kCentralBytes, "expected at most " + text(nbytes_ / kCentralBytes) +
                                                         " members in a directory of " + text(nbytes_) +
                                                         " bytes, found " + text(count_));
  }

  bool read() {
    std::string_view rest = bytes_.substr(offset_, nbytes_);
    members_.reserve(count_);
    for (uint64_t i = 0; i < count_; ++i) {
      if (rest.size() < kCentralBytes || field(rest, 0, 4) != kCentralMagic) {
        return expect(false, "expected " + text(count_) + " members, found " + text(i));
      }
      const std::size_t entry_bytes = kCentralBytes + field(rest, 28, 2) + field(rest, 30, 2) + field(rest, 32, 2);
      if (rest.size() < entry_bytes) {
        return expect(
            false, "expected an entry of " + text(entry_bytes) + " bytes in the directory, found " + text(rest.size()));
      }
      if (!read_entry(rest)) return false;
      rest.remove_prefix(entry_bytes);
    }
    return true;
  }

  bool read_entry(std::string_view entry) {
    ZipMember member;
    const std::size_t name_bytes = field(entry, 28, 2), extra_bytes = field(entry, 30, 2);
    member.name = entry.substr(kCentralBytes, name_bytes);
    const std::string prefix = "member `" + std::string(member.name) + "`: ";
    if (!expect((field(entry, 8, 2) & 1) == 0, prefix + "expected one that is not encrypted")) return false;
    member.is_stored = field(entry, 10, 2) == 0;
    member.crc = static_cast<uint32_t>(field(entry, 16, 4));
    uint64_t full = field(entry, 24, 4), packed = field(entry, 20, 4), local = field(entry, 42, 4);
    Extra64 extra(entry.substr(kCentralBytes + name_bytes, extra_bytes));
    for (uint64_t* const value : {&full, &packed, &local}) {
      if (*value != kIn64) continue;
      const std::optional<uint64_t> found = extra.next();
      if (!expect(found.has_value(), prefix + "expected a zip64 field, found none")) return false;
      *value = *found;
    }
    if (member.is_stored && full != packed) {
      return expect(false,
                    prefix + "expected equal sizes of a stored member, found " + text(packed) + " and " + text(full));
    }
    if (local > bytes_.size() || bytes_.size() - local < kLocalBytes || field(bytes_, local, 4) != kLocalMagic) {
      return expect(false, prefix + "expected a local header at offset " + text(local) + ", found none");
    }
    const uint64_t local_name_bytes = field(bytes_, local + 26, 2);
    const uint64_t data = local + kLocalBytes + local_name_bytes + field(bytes_, local + 28, 2);
    if (data > bytes_.size() || packed > bytes_.size() - data) {
      return expect(false, prefix + "expected " + text(packed) + " bytes at offset " + text(data) +
                               " within the file's " + text(bytes_.size()));
    }
    const std::string_view local_name = bytes_.substr(local + kLocalBytes, local_name_bytes);
    if (local_name != member.name) {
      return expect(false, prefix + "expected this name in the local header, found `" + std::string(local_name) + "`");
    }
    member.offset = data;
    member.nbytes = packed;
    members_.push_back(member);
    return true;
  }

  bool check_layout() {
    std::sort(members_.begin(), members_.end(),
              [](const ZipMember& a, const ZipMember& b) { return a.offset < b.offset; });
    for (std::size_t i = 1; i < members_.size(); ++i) {
      const ZipMember& before = members_[i - 1];
      if (members_[i].offset - before.offset < before.nbytes + kLocalBytes) {
        return expect(false, "member `" + std::string(before.name) +
                                 "`: expected members that do not overlap, found one that overlaps `" +
                                 std::string(members_[i].name) + "`");
      }
    }
    std::sort(members_.begin(), members_.end(), [](const ZipMember& a, const ZipMember& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(members_.begin(), members_.end(),
                                          [](const ZipMember& a, const ZipMember& b) { return a.name == b.name; });
    return twice == members_.end() ||
           expect(false, "expected one member `" + std::string(twice->name) + "`, found two");
  }

  std::string_view bytes_;
  std::string error_;
  std::vector<ZipMember> members_;
  uint64_t count_ = 0, nbytes_ = 0, offset_ = 0;  // the directory: members, bytes and position
};

}  // namespace structured::detail
