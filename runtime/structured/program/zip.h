#pragma once
// Zip archives in memory: the members that PyTorch stores without compression.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "structured/program/export.h"

namespace structured::program {

/// Central directory of a zip archive, with zip64 records. Members of one archive have distinct names and do not
/// overlap, so that all of them together are no larger than the file. Immutable; thread-safe.
class STRUCTURED_PROGRAM_API ZipArchive {
 public:
  struct Member {
    std::string_view name;
    std::size_t offset = 0;  ///< offset of the data
    std::size_t nbytes = 0;
    std::uint32_t crc = 0;
    bool is_stored = true;  ///< false: compressed, which `read` rejects
  };

  /// `bytes` outlive the archive; `name` names the file in errors. Throws Error for damaged archives, encrypted
  /// members, members outside the file, and names that occur twice.
  ZipArchive(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }
  /// Sorted by name.
  const std::vector<Member>& members() const { return members_; }
  /// Null if there is no such member.
  const Member* find(std::string_view name) const;
  /// Bytes of a member. Throws Error if it is compressed or its checksum is wrong.
  std::string_view read(const Member& member) const;
  /// Throws Error as the other overload does, and if there is no such member.
  std::string_view read(std::string_view name) const;

 private:
  struct Directory;
  Directory find_directory() const;
  void read_directory(const Directory& directory);
  void check_layout();

  std::string_view bytes_;
  std::string name_;
  std::vector<Member> members_;
};

}  // namespace structured::program
