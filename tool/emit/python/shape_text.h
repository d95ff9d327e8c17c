// Meta functions as Python.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `_shapes.py` of a package with operators for PyTorch: meta functions on symbolic sizes, and their registration. They
/// call functions of `_shape_functions.py`, a copy of structured/torch/shapes.py.
std::string torch_shapes(const LoweredLibrary& lowered);

}  // namespace structured::gen
