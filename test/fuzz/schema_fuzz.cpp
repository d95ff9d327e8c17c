// Any text either is refused with a message, or is a schema that prints and parses back to the same value.
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace structured::gen;
  llvm::Expected<Schema> schema = parse_schema(llvm::StringRef(reinterpret_cast<const char*>(data), size));
  if (!schema) {
    if (llvm::toString(schema.takeError()).empty()) __builtin_trap();
    return 0;
  }
  llvm::Expected<Schema> again = parse_schema(to_string(*schema));
  if (!again || *again != *schema) __builtin_trap();
  return 0;
}
