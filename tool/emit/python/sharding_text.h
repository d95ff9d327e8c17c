// Rules by which processes share the work of operators, as Python.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `_sharding.py` of a package with operators for PyTorch: the rules of its operators, and their registration by
/// `_sharding_functions.py`, a copy of structured/torch/sharding.py.
std::string torch_sharding(const LoweredLibrary& lowered);

}  // namespace structured::gen
