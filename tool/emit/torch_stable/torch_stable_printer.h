// The printer of the target `torch_stable`.
#pragma once

#include "emit/printer.h"

namespace structured::gen {

const Printer& torch_stable_printer();

}  // namespace structured::gen
