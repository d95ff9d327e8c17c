// Derivatives of operators, as Python.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `_derivatives.py` of a package for PyTorch's stable ABI: how the gradients of its operators are computed, and the
/// registration by `_derivative_functions.py`, a copy of structured/torch/derivatives.py.
std::string torch_derivatives(const LoweredLibrary& lowered);

}  // namespace structured::gen
