// Order in which Python calls try the overloads of a function.
#pragma once

#include <vector>

#include "emit/python/python_functions.h"

namespace structured::gen {

/// Sorts overloads as PyTorch does. An overload comes after another one if both have as many inputs and each input
/// either has the same type or accepts less: `Scalar` after `Tensor`, `int[]` after `int`, `Tensor[]` after other
/// lists. Overloads without such a relation are sorted by their signatures, an out= variant before the functional one.
void sort_overloads(std::vector<PythonOverload>& overloads);

}  // namespace structured::gen
