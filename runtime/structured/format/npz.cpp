// The `.npz` format: a zip archive whose members are `.npy` files.
#include <algorithm>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "structured/base/error.h"
#include "structured/format/files.h"
#include "structured/format/npy.h"
#include "structured/format/npy_format.h"
#include "structured/format/zip.h"
#include "structured/format/zip_writer.h"

namespace structured {
namespace {

constexpr std::string_view kSuffix = ".npy";

/// Reads bytes in memory as a stream.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view bytes) {
    char* const begin = const_cast<char*>(bytes.data());  // only read
    setg(begin, begin, begin + bytes.size());
  }
};

/// Reads the members in the order of the file.
NamedTensors read_members(std::string_view bytes, const std::string& name) {
  const detail::ZipArchive archive(bytes, name);
  std::vector<detail::ZipMember> members = archive.members();
  std::sort(members.begin(), members.end(),
            [](const detail::ZipMember& a, const detail::ZipMember& b) { return a.offset < b.offset; });
  NamedTensors result;
  for (const detail::ZipMember& member : members) {
    const std::string where = name + ": member `" + std::string(member.name) + "`";
    STRUCTURED_CHECK(member.is_stored, where,
                     ": expected an uncompressed member, found a compressed one; write the file by numpy.savez");
    const std::string_view data = archive.read(member);
    std::string_view key = member.name;
    if (key.ends_with(kSuffix)) key.remove_suffix(kSuffix.size());
    ViewBuffer buffer(data);
    std::istream in(&buffer);
    result.emplace_back(key, detail::read_npy_array(in, data.size(), where));
  }
  return result;
}

}  // namespace

NamedTensors detail::read_npz(std::istream& in, const std::string& name) {
  std::string bytes(stream_size(in), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return read_members(bytes, name);
}

void save_npz(const std::string& path, const NamedTensors& tensors) {
  for (auto at = tensors.begin(); at != tensors.end(); ++at) {
    STRUCTURED_CHECK(!at->first.empty() && at->first.size() < 0x8000, path,
                     ": expected a name of 1 to 32767 bytes for each tensor, got one of ", at->first.size());
    STRUCTURED_CHECK(std::none_of(tensors.begin(), at, [&](const auto& other) { return other.first == at->first; }),
                     path, ": expected different names, got `", at->first, "` twice");
  }
  STRUCTURED_CHECK(tensors.size() < 0xffff, path, ": expected at most 65534 tensors, got ", tensors.size());
  detail::write_archive(path, /*alignment=*/1, [&](detail::ZipWriter& zip) {
    for (const auto& [name, tensor] : tensors) {
      const Tensor elements = detail::contiguous_on_host(tensor);
      const std::string header = detail::npy_header(elements);
      zip.add(name + std::string(kSuffix), {header, {static_cast<const char*>(elements.data()), elements.nbytes()}});
    }
  });
}

NamedTensors load_npz(const std::string& path) {
  const std::shared_ptr<detail::FileBytes> file = detail::FileBytes::map(path);
  return read_members(file->view(), path);
}

}  // namespace structured
