// The spellings of all dialects that have one.
#pragma once

#include "dialect/dialect.h"

namespace structured::gen {

const CppSpelling& native_spelling();

}  // namespace structured::gen
