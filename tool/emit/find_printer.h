// The printers of all targets.
#pragma once

#include "emit/printer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Null for a target that no code is emitted for.
const Printer* find_printer(llvm::StringRef target);

}  // namespace structured::gen
