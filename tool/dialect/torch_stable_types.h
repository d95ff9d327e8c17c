// C++ types of the target `torch_stable`.
#pragma once

#include "dialect/dialect.h"

namespace structured::gen {

const CppTypes& torch_stable_cpp_types();

}  // namespace structured::gen
