#include "selection/stored_archive.h"

#include <optional>

#include "llvm/Support/Endian.h"

namespace structured::gen {
namespace {

// Little-endian numbers at an offset; nullopt beyond the end.
class Bytes {
 public:
  explicit Bytes(llvm::StringRef bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> read(std::uint64_t at, unsigned size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) return std::nullopt;
    const char* from = bytes_.data() + at;
    return size == 2   ? llvm::support::endian::read16le(from)
           : size == 4 ? llvm::support::endian::read32le(from)
                       : llvm::support::endian::read64le(from);
  }
  bool has(std::uint64_t at, llvm::StringRef signature) const {
    return at <= bytes_.size() && bytes_.substr(at).starts_with(signature);
  }
  std::optional<llvm::StringRef> slice(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) return std::nullopt;
    return bytes_.substr(at, size);
  }

 private:
  llvm::StringRef bytes_;
};

constexpr std::uint64_t in_extra_field = 0xffffffff;

// A number of a central record: from the ZIP64 field if it does not fit 32 bits there. `extra` is advanced past it.
std::optional<std::uint64_t> wide(const Bytes& bytes, std::uint64_t number, std::uint64_t& extra) {
  if (number != in_extra_field) return number;
  const std::optional<std::uint64_t> value = bytes.read(extra, 8);
  extra += 8;
  return value;
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

std::optional<Directory> find_directory(llvm::StringRef file, const Bytes& bytes) {
  const std::size_t end = file.rfind(llvm::StringRef("PK\5\6", 4));
  if (end == llvm::StringRef::npos) return std::nullopt;
  const auto count = bytes.read(end + 10, 2), offset = bytes.read(end + 16, 4);
  if (!count || !offset) return std::nullopt;
  if (*offset != in_extra_field && *count != 0xffff) return Directory{*offset, *count};
  // The locator of the ZIP64 record precedes the end record.
  const auto record = end >= 20 ? bytes.read(end - 20 + 8, 8) : std::nullopt;
  if (!record || !bytes.has(*record, llvm::StringRef("PK\6\6", 4))) return std::nullopt;
  const auto wide_count = bytes.read(*record + 32, 8), wide_offset = bytes.read(*record + 48, 8);
  if (!wide_count || !wide_offset) return std::nullopt;
  return Directory{*wide_offset, *wide_count};
}

}  // namespace

llvm::Expected<std::map<std::string, llvm::StringRef>> stored_members(llvm::StringRef file) {
  const Bytes bytes(file);
  const std::optional<Directory> directory = find_directory(file, bytes);
  if (!directory) return llvm::createStringError("expected a zip archive");
  const auto damaged = [](std::uint64_t at) {
    return llvm::createStringError("the zip archive is damaged at byte " + std::to_string(at));
  };
  std::map<std::string, llvm::StringRef> members;
  std::uint64_t at = directory->offset;
  for (std::uint64_t i = 0; i < directory->count; ++i) {
    if (!bytes.has(at, llvm::StringRef("PK\1\2", 4))) return damaged(at);
    const auto method = bytes.read(at + 10, 2), stored = bytes.read(at + 20, 4), name_size = bytes.read(at + 28, 2),
               extra_size = bytes.read(at + 30, 2), comment_size = bytes.read(at + 32, 2),
               local = bytes.read(at + 42, 4);
    if (!method || !stored || !name_size || !extra_size || !comment_size || !local) return damaged(at);
    const std::optional<llvm::StringRef> name = bytes.slice(at + 46, *name_size);
    // The ZIP64 field has the original size, the stored size and the offset, each only if it does not fit.
    std::uint64_t extra = at + 46 + *name_size + 4;
    if (bytes.read(at + 24, 4) == in_extra_field) extra += 8;
    const auto size = wide(bytes, *stored, extra), header = wide(bytes, *local, extra);
    if (!name || !size || !header || !bytes.has(*header, llvm::StringRef("PK\3\4", 4))) return damaged(at);
    const auto local_name = bytes.read(*header + 26, 2), local_extra = bytes.read(*header + 28, 2);
    if (!local_name || !local_extra) return damaged(*header);
    const std::optional<llvm::StringRef> contents = bytes.slice(*header + 30 + *local_name + *local_extra, *size);
    if (!contents) return damaged(*header);
    if (*method == 0) members[name->str()] = *contents;
    at += 46 + *name_size + *extra_size + *comment_size;
  }
  return members;
}

}  // namespace structured::gen
