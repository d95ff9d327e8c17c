// Any bytes either are refused with an error that names the file, or are an archive whose members lie in the file.
#include <structured/base/error.h>
#include <structured/format/zip.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const structured::detail::ZipArchive archive(bytes, "file");
    std::size_t total = 0;
    for (const auto& member : archive.members()) {
      total += member.nbytes;
      try {
        if (archive.read(member).size() != member.nbytes) __builtin_trap();
      } catch (const structured::InternalError&) {
        __builtin_trap();
      } catch (const structured::Error&) {  // compressed, or damaged
      }
      if (archive.find(member.name) != &member) __builtin_trap();
    }
    if (total > size) __builtin_trap();
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
