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

LowerOptions lower_options(const Target& target, const Printer* printer) {
  LowerOptions options;
  options.target = target.name().str();
  if (printer != nullptr) {
    options.steps = printer->steps();
    options.gradient_arguments = printer->gradient_arguments();
  }
  return options;
}

LowerOptions lower_options(const Target& target) { return lower_options(target, find_printer(target.name())); }

}  // namespace structured::gen
