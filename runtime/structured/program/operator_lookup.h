#pragma once
// Lookup of the operators that a program calls.
#include <string_view>
#include <vector>

#include "structured/dispatch/library.h"

namespace structured {

/// Finds an operator by its full name, such as `aten::add.Tensor`, or returns null: the function `find_operator` of an
/// operator library.
using OperatorLookup = const OperatorHandle* (*)(std::string_view name);

/// Libraries that are searched in this order.
using OperatorLookups = std::vector<OperatorLookup>;

}  // namespace structured
