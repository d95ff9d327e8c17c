// Public headers of a library: one for each base name, one with the export macro, and one that includes all others.
#pragma once

#include <map>
#include <string>

#include "lower/lowered_library.h"

namespace structured::gen {

/// Headers of operators by path below the include directory: `structured/ops/add.h`.
std::map<std::string, std::string> ops_headers(const LoweredLibrary& lowered);
/// The header that declares the functions of documented operators again, with their documentation.
std::string documentation_header(const LoweredLibrary& lowered);
std::string export_header(const LoweredLibrary& lowered);
/// The header that declares `find_operator`, which importing libraries include.
std::string find_operator_header(const LoweredLibrary& lowered);
/// The header that includes find_operator.h and the headers of all operators.
std::string operators_header(const LoweredLibrary& lowered);

}  // namespace structured::gen
