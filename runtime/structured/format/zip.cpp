#include "structured/format/zip.h"

#include <algorithm>
#include <utility>

#include "structured/base/error.h"
#include "structured/format/crc32.h"

namespace structured::detail {

ZipArchive::ZipArchive(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  ZipDirectory directory(bytes);
  STRUCTURED_CHECK(directory.error().empty(), name_, ": ", directory.error());
  members_ = std::move(directory.members());
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
  const uint32_t crc = crc32(0, data.data(), data.size());
  STRUCTURED_CHECK(crc == member.crc, name_, ": member `", member.name, "`: expected checksum ", member.crc, ", found ",
                   crc);
  return data;
}

std::string_view ZipArchive::read(std::string_view name) const {
  const Member* const member = find(name);
  STRUCTURED_CHECK(member != nullptr, name_, ": expected a member `", name, "`, found none");
  return read(*member);
}

}  // namespace structured::detail
