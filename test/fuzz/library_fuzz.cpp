// Any text either is refused with a message, or is a library that prints and parses back to the same value.
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/library_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace structured::gen;
  llvm::Expected<Library> library = library_from_json(llvm::StringRef(reinterpret_cast<const char*>(data), size));
  if (!library) {
    if (llvm::toString(library.takeError()).empty()) __builtin_trap();
    return 0;
  }
  llvm::Expected<Library> again = library_from_json(to_json(*library));
  if (!again || *again != *library) __builtin_trap();
  return 0;
}
