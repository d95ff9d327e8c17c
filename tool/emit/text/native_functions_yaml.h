// The library in the format of ATen's native_functions.yaml, for torchgen and similar tools.
#pragma once

#include <string>

#include "model/operator.h"
#include "model/type_table.h"

namespace structured::gen {

/// One entry for each variant, in the library's order. Backends and tags that torchgen does not know are left out,
/// each with a comment that names it. `types` classifies the members of precomputed values.
std::string native_functions_yaml(const Library& library, const TypeTable& types);

}  // namespace structured::gen
