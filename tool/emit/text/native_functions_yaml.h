// The library in the format of ATen's native_functions.yaml, for torchgen and similar tools.
#pragma once

#include <string>

#include "model/operator.h"
#include "model/type_table.h"

namespace structured::gen {

/// Returns one entry for each variant, in the library's order. Backends and tags unknown to torchgen are replaced by
/// comments that name them. `types` classifies the members of precomputed values.
std::string native_functions_yaml(const Library& library, const TypeTable& types);

}  // namespace structured::gen
