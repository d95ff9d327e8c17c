// Any bytes either are refused with an error that names the file, or are tensors no larger than the file.
#include <structured/base/error.h>
#include <structured/format/npy.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    std::size_t total = 0;
    for (const auto& [name, tensor] : structured::detail::read_npz(in, "file")) total += tensor.nbytes();
    if (total > size) __builtin_trap();
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
