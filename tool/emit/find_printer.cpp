#include "emit/find_printer.h"

#include "emit/native/native_printer.h"

namespace structured::gen {

const Printer* find_printer(llvm::StringRef target) { return target == "native" ? &native_printer() : nullptr; }

}  // namespace structured::gen
