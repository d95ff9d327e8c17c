// Any text either is refused with a message, or is a fragment that prints and parses back to the same value.
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/fragment_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace structured::gen;
  llvm::Expected<Fragment> fragment = fragment_from_json(llvm::StringRef(reinterpret_cast<const char*>(data), size));
  if (!fragment) {
    if (llvm::toString(fragment.takeError()).empty()) __builtin_trap();
    return 0;
  }
  llvm::Expected<Fragment> again = fragment_from_json(to_json(*fragment));
  if (!again || *again != *fragment) __builtin_trap();
  return 0;
}
