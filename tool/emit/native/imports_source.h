// The kernels that a library has for operators of others, as one constant array.
#pragma once

#include <string>

#include "lower/plan.h"

namespace structured::gen {

/// The only emitted source with code that runs when the library is loaded.
std::string imports_source(const Plan& plan);

}  // namespace structured::gen
