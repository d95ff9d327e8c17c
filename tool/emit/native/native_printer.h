// The printer of the target `native`.
#pragma once

#include "emit/printer.h"

namespace structured::gen {

const Printer& native_printer();

}  // namespace structured::gen
