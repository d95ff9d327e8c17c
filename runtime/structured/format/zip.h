#pragma once
// Zip archives in memory: the members that PyTorch stores without compression.
#include <string>
#include <string_view>
#include <vector>

#include "structured/base/export.h"
#include "structured/format/zip_directory.h"

namespace structured::detail {

/// A zip archive whose members are checked: see ZipDirectory. Immutable; thread-safe.
class STRUCTURED_API ZipArchive {
 public:
  using Member = ZipMember;

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
  std::string_view bytes_;
  std::string name_;
  std::vector<Member> members_;
};

}  // namespace structured::detail
