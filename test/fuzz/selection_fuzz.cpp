// Any bytes either are refused with a message that names the file, or are a saved program or a record of a run.
#include <cstddef>
#include <cstdint>

#include "selection/model_operators.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace structured::gen;
  const llvm::StringRef bytes(reinterpret_cast<const char*>(data), size);
  for (const auto read : {selection_from_model, selection_from_trace}) {
    llvm::Expected<Selection> selection = read(bytes, "input");
    if (!selection && !llvm::StringRef(llvm::toString(selection.takeError())).contains("input")) __builtin_trap();
  }
  return 0;
}
