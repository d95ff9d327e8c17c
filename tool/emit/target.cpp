#include "emit/target.h"

#include "emit/native/native_printer.h"
#include "emit/onnx/onnx_printer.h"
#include "emit/torch/torch_printer.h"
#include "emit/torch_stable/torch_stable_printer.h"

namespace structured::gen {

llvm::ArrayRef<Target> targets() {
  static const Target all[] = {{"native", "native", native_printer()},
                               {"torch", "torch", torch_printer()},
                               {"torch_stable", "torch_stable", torch_stable_printer()},
                               {"onnx", "", onnx_printer()}};
  return all;
}

const Target* find_target(llvm::StringRef name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

const Target* default_target(const Dialect& dialect) {
  for (const Target& target : targets()) {
    if (target.dialect == dialect.name()) return &target;
  }
  return nullptr;
}

std::string unknown_target(llvm::StringRef name) {
  std::string names;
  for (const Target& target : targets()) {
    names += (names.empty() ? "" : &target == &targets().back() ? " or " : ", ") + target.name.str();
  }
  return "unknown target `" + name.str() + "`; expected " + names;
}

LowerOptions lower_options(const Target* target) {
  LowerOptions options;
  if (target != nullptr && target->printer.prints_wrappers()) {
    options.target = target->name.str();
    options.steps = target->printer.steps();
    options.gradient_arguments = target->printer.gradient_arguments();
    options.decomposes = target->printer.decomposes();
    options.symbols = target->printer.symbols();
    options.has_python_layers = target->printer.has_python_layers();
  }
  return options;
}

}  // namespace structured::gen
