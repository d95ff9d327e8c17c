// Decompositions of operators in Python, for libraries whose C++ cannot make them.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `_decompositions.py` of a package for PyTorch's stable ABI: what compilers see of scalar functions.
/// `_decomposition_functions.py`, a copy of structured/torch/decompositions.py, computes it.
std::string torch_decompositions(const LoweredLibrary& lowered);

}  // namespace structured::gen
