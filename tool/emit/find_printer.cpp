#include "emit/find_printer.h"

#include "emit/native/native_printer.h"
#include "emit/torch/torch_printer.h"
#include "emit/torch_stable/torch_stable_printer.h"

namespace structured::gen {

const Printer* find_printer(llvm::StringRef target) {
  if (target == "native") return &native_printer();
  if (target == "torch") return &torch_printer();
  if (target == "torch_stable") return &torch_stable_printer();
  return nullptr;
}

}  // namespace structured::gen
