#pragma once
// Writes zip archives of stored members.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "structured/base/export.h"

namespace structured::detail {

/// Writes members to a stream, and the central directory in `finish`. Equal members give equal bytes. Archives of 4 GiB
/// or more, or of 65535 members or more, are an error.
class STRUCTURED_API ZipWriter {
 public:
  /// `out` outlives the object; `name` names the file in errors. The data of each member begins at a multiple of
  /// `alignment`, a power of two; 1 adds no padding.
  ZipWriter(std::ostream& out, std::string name, std::size_t alignment)
      : out_(out), name_(std::move(name)), alignment_(alignment) {}

  /// Adds a member whose data is the concatenation of `parts`.
  void add(const std::string& name, std::initializer_list<std::string_view> parts);
  void add(const std::string& name, std::string_view data) { add(name, {data}); }
  void finish();

 private:
  std::ostream& out_;
  std::string name_;
  std::size_t alignment_;
  uint64_t offset_ = 0;
  std::string directory_;
  std::size_t count_ = 0;
};

/// Alignment of data that is mapped into memory and used in place.
constexpr std::size_t kMappedAlignment = 64;

/// Writes an archive with the members that `write` adds. The file replaces another one when it is complete. Throws
/// Error if it cannot be written.
STRUCTURED_API void write_archive(const std::string& path, std::size_t alignment,
                                  const std::function<void(ZipWriter&)>& write);

}  // namespace structured::detail
