// Any bytes either are refused with an error that names the file, or are a value of torch.save, which save_value writes
// again unless PyTorch's format lacks a part.
//
// The bytes are the members of an archive, which the fuzzer writes, since checksums would refuse nearly all inputs: a
// storage of 32 bytes, and data.pkl.
#include <structured/base/error.h>
#include <structured/format/files.h>
#include <structured/program/save_value.h>
#include <structured/program/saved_value.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "../unit/runtime/program/archive.h"

namespace {

using structured::program::DynamicValue;

std::string archive_of(std::string_view bytes) {
  constexpr std::size_t storage_bytes = 32;
  structured::test::ZipWriter zip;
  zip.add("m/data.pkl", bytes.size() < storage_bytes ? "" : bytes.substr(storage_bytes));
  zip.add("m/data/0", bytes.substr(0, storage_bytes));
  return zip.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string archive = archive_of({reinterpret_cast<const char*>(data), size});
  DynamicValue value;
  try {
    value = structured::program::read_saved_value(structured::detail::FileBytes::copy(archive), "file",
                                                  [](const structured::Tensor& tensor) { tensor.requires_grad_(); });
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
    return 0;
  }
  try {
    structured::program::save_value("saved_value.pt", value);
    structured::program::load_saved_value("saved_value.pt");
    std::remove("saved_value.pt");
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("save: ")) __builtin_trap();
  }
  return 0;
}
