// The kernels that a library adds to operators of other libraries, as one constant array.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// The only emitted source with code that runs when the library is loaded.
std::string imports_source(const LoweredLibrary& lowered);

}  // namespace structured::gen
