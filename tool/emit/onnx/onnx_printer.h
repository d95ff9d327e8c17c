// The printer of the target `onnx`: ONNX functions for scalar functions, for libraries of any dialect.
#pragma once

#include "emit/printer.h"

namespace structured::gen {

const Printer& onnx_printer();

}  // namespace structured::gen
