// Any bytes either are refused with an error that names the file, or are a tensor.
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
    const structured::Tensor tensor = structured::detail::read_npy(in, "file");
    if (!tensor.defined() || tensor.nbytes() > size) __builtin_trap();
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
