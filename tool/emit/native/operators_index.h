// The sorted table that a library's `find_operator` searches.
#pragma once

#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// Without `boxed`, handles have a name and a schema but no boxed call.
std::string operators_source(const LoweredLibrary& lowered, bool boxed);

}  // namespace structured::gen
