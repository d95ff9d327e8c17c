// Public headers of a library: one for each base name, the export macro, and the one that includes them all.
#pragma once

#include <map>
#include <string>

#include "lower/plan.h"

namespace structured::gen {

/// By path below the include directory: `structured/ops/add.h`.
std::map<std::string, std::string> ops_headers(const Plan& plan);
std::string export_header(const Plan& plan);
/// `find_operator` alone, which other libraries need.
std::string find_operator_header(const Plan& plan);
/// `find_operator`, and all operators.
std::string operators_header(const Plan& plan);

}  // namespace structured::gen
