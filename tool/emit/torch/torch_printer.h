// The printer of the target `torch`.
#pragma once

#include "emit/printer.h"

namespace structured::gen {

const Printer& torch_printer();

}  // namespace structured::gen
