// C++ types of the target `torch`.
#pragma once

#include "dialect/dialect.h"

namespace structured::gen {

const CppTypes& aten_cpp_types();

}  // namespace structured::gen
