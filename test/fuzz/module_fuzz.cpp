// Any bytes either are refused with an error that names the file, or are a module of PyTorch's lite interpreter. Packed
// parameters are restored by the kernels of quantized layers, and `__setstate__` is called.
//
// Bytes with the mark of a flatbuffer are the file. Other bytes are the members of an archive, which the fuzzer writes,
// since checksums would refuse nearly all inputs: bytecode.pkl and data.pkl, each after its length as 16 bits, and
// storages of 32 bytes.
#include <structured/base/error.h>
#include <structured/find_operator.h>
#include <structured/program/script_module.h>
#include <structured/quantized/find_operator.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../unit/runtime/program/archive.h"

namespace {

std::string_view take(std::string_view& bytes, std::size_t count) {
  const std::string_view result = bytes.substr(0, count);
  bytes.remove_prefix(result.size());
  return result;
}

std::string_view take_member(std::string_view& bytes) {
  std::size_t length = 0;
  for (const char byte : take(bytes, 2)) length = length << 8 | static_cast<unsigned char>(byte);
  return take(bytes, length);
}

std::string archive_of(std::string_view bytes) {
  structured::test::ZipWriter zip;
  zip.add("m/bytecode.pkl", take_member(bytes));
  zip.add("m/data.pkl", take_member(bytes));
  for (int i = 0; i < 4; ++i) {
    const std::string storage(take(bytes, 32));
    zip.add("m/data/" + std::to_string(i), storage);
    zip.add("m/constants/" + std::to_string(i), storage);
  }
  return zip.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_flatbuffer = size >= 8 && bytes.substr(4, 4) == "PTMF";
  try {
    structured::ScriptModule::load_bytes(is_flatbuffer ? std::string(bytes) : archive_of(bytes),
                                         {&structured::find_operator, &structured::quantized::find_operator}, "file");
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
