// The printers of all targets.
#pragma once

#include "emit/printer.h"
#include "llvm/ADT/StringRef.h"
#include "target/target.h"

namespace structured::gen {

/// Returns null for a target without emitted code.
const Printer* find_printer(llvm::StringRef target);

/// Return the options for lowering a library of the target: the steps that `printer` has, or that of the target, and
/// all steps without a printer.
LowerOptions lower_options(const Target& target, const Printer* printer);
LowerOptions lower_options(const Target& target);

}  // namespace structured::gen
