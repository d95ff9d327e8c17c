// The printers of all targets.
#pragma once

#include "emit/printer.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

/// Returns null for a target without emitted code.
const Printer* find_printer(llvm::StringRef target);

}  // namespace structured::gen
