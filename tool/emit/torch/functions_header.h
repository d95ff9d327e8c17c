// Prints the header with C++ functions that call a library's operators through libtorch's dispatcher.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `<namespace>/ops.h`: a function in the namespace `<namespace>::ops` for each operator of the library.
std::string torch_functions_header(const LoweredLibrary& lowered);

}  // namespace structured::gen
