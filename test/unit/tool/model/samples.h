// Values in which every member is set, for tests of storing and reading.
#pragma once

#include "model/declaration.h"
#include "model/operator.h"

namespace structured::gen {

Fragment full_fragment();
Library full_library();

}  // namespace structured::gen
