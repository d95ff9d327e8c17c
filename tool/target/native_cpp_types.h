// The spellings of all dialects that have one.
#pragma once

#include "target/target.h"

namespace structured::gen {

const CppTypes& native_cpp_types();

}  // namespace structured::gen
