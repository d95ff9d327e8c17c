// Any bytes as the JSON of a `.pt2` file either are refused with an error that names the file, or are a program. No
// operator library is given, so that a program can only compute with numbers. The archive has a weight `w` of 4 bytes.
#include <structured/base/error.h>
#include <structured/program/saved_program.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../unit/runtime/program/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  structured::test::ZipWriter zip;
  zip.add("p/archive_format", "pt2");
  zip.add("p/models/model.json", std::string_view(reinterpret_cast<const char*>(data), size));
  zip.add("p/data/weights/weight_0", std::string_view("\0\0\x80\x3f", 4));
  zip.add(
      "p/data/weights/model_weights_config.json",
      R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7,
              "sizes": [{"as_int": 1}], "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}}}})");
  try {
    structured::SavedProgram::load_bytes(zip.finish(), {}, "", "file");
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
