// The sorted table behind a library's `find_operator`.
#pragma once

#include <string>

#include "lower/plan.h"

namespace structured::gen {

/// Without `boxed` the handles know name and schema, and refuse to be called on a stack.
std::string operators_source(const Plan& plan, bool boxed);

}  // namespace structured::gen
