// Order in which Python calls try the overloads of a function.
#pragma once

#include <vector>

#include "emit/python/python_functions.h"

namespace structured::gen {

/// Sorts overloads as PyTorch does, in a total order that does not depend on the given one. Functional overloads come
/// before out= variants, since a call without `out` needs no look at those. Within each group, an overload comes after
/// another one if both have as many inputs and each input either has the same type or is to be tried later: `Scalar`
/// after `Tensor`, `int[]` after `int`, `Tensor[]` after other lists, names of dimensions last. Overloads without such
/// a relation are sorted by their signatures.
void sort_overloads(std::vector<PythonOverload>& overloads);

}  // namespace structured::gen
