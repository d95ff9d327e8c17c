// C++ types of the target `native`.
#pragma once

#include "dialect/dialect.h"

namespace structured::gen {

const CppTypes& native_cpp_types();

}  // namespace structured::gen
