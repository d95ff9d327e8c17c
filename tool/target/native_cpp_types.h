// C++ types of the target `native`.
#pragma once

#include "target/target.h"

namespace structured::gen {

const CppTypes& native_cpp_types();

}  // namespace structured::gen
