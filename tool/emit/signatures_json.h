// What a plugin or a library that imports this one checks kernels against.
#pragma once

#include <string>

#include "model/operator.h"

namespace structured::gen {

/// Schemas, C++ types, bases and outputs: no places and no kernels, so that the text changes only when a signature
/// does. Sorted keys, one-space indentation, a line break at the end.
std::string signatures_json(const Library& library);

}  // namespace structured::gen
