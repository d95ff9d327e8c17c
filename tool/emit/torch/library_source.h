// Prints the source that registers a library's operators with libtorch's dispatcher.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// `library.cpp`: schemas and kernels of all operators.
std::string torch_library_source(const LoweredLibrary& lowered);

}  // namespace structured::gen
