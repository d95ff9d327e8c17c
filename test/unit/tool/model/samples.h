// Values with something in every member, for tests of what stores and reads them.
#pragma once

#include "model/declaration.h"
#include "model/operator.h"

namespace structured::gen {

Fragment full_fragment();
Library full_library();

}  // namespace structured::gen
