// Boxed calls of the operators that one kernel source defines, apart from the rest so that a build can leave them out.
#pragma once

#include <string>

#include "lower/plan.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {

std::string boxed_source(const Plan& plan, llvm::StringRef source);

}  // namespace structured::gen
