// Any bytes either are refused with an error that names the file, or are a safetensors file whose tensors lie in it.
#include <structured/base/error.h>
#include <structured/program/safetensors.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const auto file = structured::detail::FileBytes::copy({reinterpret_cast<const char*>(data), size});
  try {
    for (const auto& [name, tensor] : structured::program::read_safetensors(file, "file")) {
      if (tensor.nbytes() > size) __builtin_trap();
    }
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
