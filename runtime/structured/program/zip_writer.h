#pragma once
// Zip archives of stored members, whose data is aligned for memory mapping.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace structured::program {

/// Writes members to a stream, with the data of each one at a multiple of 64 bytes, and the central directory in
/// `finish`. Sizes are limited to 4 GiB.
class ZipWriter {
 public:
  /// `out` outlives the object.
  explicit ZipWriter(std::ostream& out) : out_(out) {}

  void add(const std::string& name, std::string_view data);
  void finish();

 private:
  std::ostream& out_;
  std::uint64_t offset_ = 0;
  std::string directory_;
  std::size_t count_ = 0;
};

/// Writes an archive with the members that `write` adds. The file replaces another one when it is complete. Throws
/// Error if it cannot be written.
void write_archive(const std::string& path, const std::function<void(ZipWriter&)>& write);

}  // namespace structured::program
